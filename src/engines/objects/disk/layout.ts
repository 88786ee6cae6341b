import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Where things are below the store's folder. File names are made here, never from keys: no key can leave the folder,
 * clash with another one, or be too long for the file system.
 */
export interface Layout {
  readonly folder: string
  readonly index: string
  readonly contents: string
  /** The folder of contents that are being received. */
  readonly temporary: string
  /** The folder for parts of open uploads. */
  readonly uploads: string
  /** A file that is young while a backup runs: nothing may be removed meanwhile. */
  readonly hold: string
}

const SPREAD = 256

export function layoutOf(folder: string): Layout {
  return {
    folder,
    index: join(folder, 'index.db'),
    contents: join(folder, 'contents'),
    temporary: join(folder, 'temporary'),
    uploads: join(folder, 'uploads'),
    hold: join(folder, 'hold')
  }
}

export const temporaryPath = (layout: Layout, file: string) => join(layout.temporary, file)

export const contentPath = (layout: Layout, file: string) => join(contentFolder(layout, file), file)

/** The end of a name is random, so the files spread evenly. */
export const contentFolder = (layout: Layout, file: string) => join(layout.contents, file.slice(-2))

export const isContentName = (name: string) => /^[0-9a-f]{32}$/.test(name)

export function contentFolders({ contents }: Layout): string[] {
  return Array.from({ length: SPREAD }, (_, i) => join(contents, i.toString(16).padStart(2, '0')))
}

/** Makes all folders when the store is opened, so that no upload has to. */
export function makeFolders(layout: Layout): void {
  for (const folder of [layout.temporary, layout.uploads]) mkdirSync(folder, { recursive: true })
  const folders = contentFolders(layout)
  if (existsSync(folders.at(-1) as string)) return
  for (const folder of folders) mkdirSync(folder, { recursive: true })
}
