/** Something that can be cached, with its size. */
interface Sized {
  readonly sizeBytes: number
}

/** Unpacked columns of row groups, shared by all files: those used last, up to a number of bytes. */
export class PageCache {
  readonly #maxBytes: number
  readonly #kept = new Map<number, Sized>()
  #sizeBytes = 0
  #files = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get sizeBytes(): number {
    return this.#sizeBytes
  }

  /** Reserves `keyCount` keys for a file; answers the first. */
  reserve(keyCount: number): number {
    const first = this.#files
    this.#files += keyCount
    return first
  }

  get<T extends Sized>(key: number, load: () => T): T {
    const kept = this.#kept.get(key)
    if (kept !== undefined) {
      this.#kept.delete(key)
      this.#kept.set(key, kept)
      return kept as T
    }
    const loaded = load()
    if (loaded.sizeBytes > this.#maxBytes) return loaded
    this.#kept.set(key, loaded)
    this.#sizeBytes += loaded.sizeBytes
    this.#shrink()
    return loaded
  }

  /** Forgets everything that is cached of a file. */
  release(firstKey: number, keyCount: number): void {
    for (const key of [...this.#kept.keys()]) if (key >= firstKey && key < firstKey + keyCount) this.#forget(key)
  }

  #shrink(): void {
    for (const key of this.#kept.keys()) {
      if (this.#sizeBytes <= this.#maxBytes) return
      this.#forget(key)
    }
  }

  #forget(key: number): void {
    this.#sizeBytes -= this.#kept.get(key)?.sizeBytes ?? 0
    this.#kept.delete(key)
  }
}
