import type { SealedFact } from '../index-db.ts'
import type { Layout } from '../layout.ts'
import { PageCache, SealedFile } from '../parquet/index.ts'

const MAX_OPEN = 512
/** Pages unpacked before, for those who ask again: the panels of a dashboard. */
const CACHE_BYTES = 48 * 1024 * 1024

/** Sealed files, kept open: those used last stay. */
export class OpenFiles {
  readonly #layout: Layout
  readonly #pages = new PageCache(CACHE_BYTES)
  readonly #open = new Map<string, SealedFile>()

  constructor(layout: Layout) {
    this.#layout = layout
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
