import type { SealedFact } from '../index-db.ts'
import type { Layout } from '../layout.ts'
import { PageCache, SealedFile } from '../parquet/index.ts'

const MAX_OPEN = 512
/** Sealed files, kept open: those used last stay. */
export class OpenFiles {
  readonly #layout: Layout
  readonly #pages: PageCache
  readonly #open = new Map<string, SealedFile>()

  /** Of pages that were unpacked, so much is kept for those who ask again: the panels of a dashboard. */
  constructor(layout: Layout, cacheBytes: number) {
    this.#layout = layout
    this.#pages = new PageCache(cacheBytes)
  }

  get({ path, day }: SealedFact): SealedFile {
    let file = this.#open.get(path)
    if (file === undefined) {
      file = SealedFile.open(this.#layout.absolute(path), day, this.#pages)
      if (this.#open.size >= MAX_OPEN) this.close(this.#open.keys().next().value as string)
    } else {
      this.#open.delete(path)
    }
    this.#open.set(path, file) // behind all others
    return file
  }

  close(path: string): void {
    this.#open.get(path)?.close()
    this.#open.delete(path)
  }
}
