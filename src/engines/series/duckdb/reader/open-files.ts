import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type SealedFact, SUMS_OF } from '../index-db.ts'
import type { Layout } from '../layout.ts'
import { FileSums } from '../parquet/file-sums.ts'
import { PageCache, SealedFile } from '../parquet/index.ts'

const MAX_OPEN = 512
/** Sealed files that are kept open: those used last. */
export class OpenFiles {
  readonly #layout: Layout
  readonly #pages: PageCache
  readonly #open = new Map<string, SealedFile>()
  #sums: StatementSync | undefined

  /** `cacheBytes` of unpacked pages are kept for repeated queries, such as those of a dashboard. */
  constructor(layout: Layout, cacheBytes: number) {
    this.#layout = layout
    this.#pages = new PageCache(cacheBytes)
  }

  get({ path, day }: SealedFact): SealedFile {
    let file = this.#open.get(path)
    if (file === undefined) {
      file = SealedFile.open(this.#layout.absolute(path), day, this.#pages, this.#sumsOf(path))
      if (this.#open.size >= MAX_OPEN) this.close(this.#open.keys().next().value as string)
    } else {
      this.#open.delete(path)
    }
    this.#open.set(path, file) // behind all others, as the one used last
    return file
  }

  #sumsOf(path: string): FileSums | undefined {
    this.#sums ??= new DatabaseSync(this.#layout.index, { readOnly: true, timeout: 5000 }).prepare(SUMS_OF)
    const sums = this.#sums.get(path)?.sums as Uint8Array | undefined
    return sums && new FileSums(sums)
  }

  close(path: string): void {
    this.#open.get(path)?.close()
    this.#open.delete(path)
  }
}
