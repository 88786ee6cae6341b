import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Where the engine keeps its files, below its folder. */
export interface Layout {
  readonly folder: string
  readonly index: string
  logFile(generation: number): string
  /** Numbers of the generations that have a log, the oldest first. */
  logs(): number[]
  /** A path below the folder. Its parts have the form `key=value`, which tools that read Parquet take for columns. */
  sealedFile(source: string, day: number, sequence: number): string
  absolute(path: string): string
  readonly temporary: string
  /** The folder with damaged logs as they were found, and notes of all damage. */
  readonly damaged: string
}

export function layoutOf(folder: string): Layout {
  return {
    folder,
    index: join(folder, 'index.db'),
    logFile: (generation) => join(folder, `log-${generation}`),
    logs: () =>
      readdirSync(folder)
        .filter((name) => /^log-\d+$/.test(name))
        .map((name) => Number(name.slice(4)))
        .sort((a, b) => a - b),
    sealedFile: (source, day, sequence) =>
      join('points', `source=${fileName(source)}`, `day=${dayName(day)}`, `${sequence}.parquet`),
    absolute: (path) => join(folder, path),
    temporary: join(folder, 'temporary'),
    damaged: join(folder, 'damaged')
  }
}

export function makeFolders({ folder, temporary }: Layout): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  mkdirSync(temporary, { recursive: true, mode: 0o700 })
}

const MS_PER_DAY = 86_400_000

export function dayName(day: number): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10)
}

/** Sources are named by the platform; any other name is encoded, so that it can't lead out of the folder. */
function fileName(source: string): string {
  return encodeURIComponent(source).replace(/[.*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}
