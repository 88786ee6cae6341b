import { open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { withContentFile } from './content-file.ts'
import { copyCounted } from './copy-counted.ts'
import type { ObjectRow } from './database.ts'
import { contentFolder, contentPath, isContentName, type Layout, makeFolders } from './layout.ts'
import { isMarked } from './marks.ts'

const AT_ONCE = 8

/** The content of an object differs from what the index says; the message names the object. */
export class ContentFault extends Error {
  constructor({ bucket, key }: Pick<ObjectRow, 'bucket' | 'key'>, what: string) {
    super(`the content of the object ${JSON.stringify(`${bucket}/${key}`)} ${what}`)
  }
}

export interface CopyProgress {
  /** Adds to the amount of work. */
  expect(count: number, sizeBytes: number): void
  /** So many more bytes are done. */
  advance(sizeBytes: number): void
  /** An object is done. */
  finish(): void
}

export interface CopyOptions {
  readonly progress: CopyProgress
  /** The hash of a file in hexadecimal. Every copy is compared with the index. */
  sha256Of(path: string): Promise<string>
  /**
   * Called with an object whose content differs from the index; it is copied all the same. Where not given, that is
   * an error.
   */
  onDamaged?(row: Pick<ObjectRow, 'bucket' | 'key'>): void
}

type FileRow = Pick<ObjectRow, 'bucket' | 'key' | 'size' | 'sha256'> & {
  readonly file: string
  /** Where the content is known to be damaged, it is not compared. */
  readonly damaged: string | null
}

/** Copies every file that the index in `to` refers to, and flushes it. The index may have millions of rows. */
export async function copyContents(from: Layout, to: Layout, options: CopyOptions): Promise<void> {
  makeFolders(to)
  const touched = new Set<string>()
  const index = new DatabaseSync(to.index, { readOnly: true })
  try {
    const total = index.prepare('select count(*) as n, total(size) as bytes from objects where file is not null').get()
    options.progress.expect(total?.n as number, total?.bytes as number)
    const rows = index
      .prepare(
        `select bucket, key, size, sha256, file, ${isMarked(index)} as damaged from objects where file is not null`
      )
      .iterate()
    await severalAtOnce(rows as Iterable<unknown> as Iterable<FileRow>, async (row) => {
      await copyContent(from, to, row, options)
      touched.add(contentFolder(to, row.file))
    })
  } finally {
    index.close()
  }
  for (const folder of [...touched, to.contents, to.folder]) await flush(folder)
}

async function copyContent(from: Layout, to: Layout, row: FileRow, options: CopyOptions): Promise<void> {
  const { file, size, sha256 } = row
  // The index of a backup may have been changed by anybody, and this name becomes part of a path.
  if (!isContentName(file)) throw new ContentFault(row, 'has a name that no content has')
  const target = contentPath(to, file)
  const copied = await withContentFile(from, file, async (path) => {
    await copyCounted(path, target, options.progress.advance)
    return true
  })
  if (copied === undefined) throw new ContentFault(row, 'is missing')
  if ((await flush(target, 0o600)) !== size) throw changed(row)
  if (row.damaged === null && (await options.sha256Of(target)) !== sha256) {
    if (options.onDamaged === undefined) throw changed(row)
    options.onDamaged(row)
  }
  options.progress.finish()
}

export const changed = (row: Pick<ObjectRow, 'bucket' | 'key'>) => new ContentFault(row, 'is not as it was written')

/** Settles when all work has ended, even after a failure, so that nothing is still writing. */
async function severalAtOnce<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.iterator]()
  const rest = { [Symbol.iterator]: () => iterator }
  const ends = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of rest) await work(item) // a failure ends the iterator, and so the other workers
    })
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** Flushes a file, or the names in a folder; answers the size. */
async function flush(path: string, mode?: number): Promise<number> {
  const handle = await open(path, 'r')
  try {
    if (mode !== undefined) await handle.chmod(mode)
    await handle.sync()
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}
