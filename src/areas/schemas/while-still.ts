import { isWatched, type Metadata, type Tables } from '../../engines/metadata/index.ts'

const MAX_ENTRIES = 1000
const MAX_CHARS = 4 * 1024 * 1024
const MAX_CHARS_EACH = 64 * 1024

/**
 * Keeps what was read for as long as the tables it was read from stand still. Only an embedded database, which knows of
 * every change to it, can tell that; elsewhere everything is read anew.
 */
export class WhileStill<T> {
  readonly #metadata: Metadata
  readonly #tables: readonly (keyof Tables)[]
  readonly #charsOf: (found: T) => number
  readonly #kept = new Map<string, T>()
  #chars = 0
  #stamp: string | undefined

  /** `charsOf`: how much there is to keep, roughly; what is large is not kept. */
  constructor(metadata: Metadata, tables: readonly (keyof Tables)[], charsOf: (found: T) => number) {
    this.#metadata = metadata
    this.#tables = tables
    this.#charsOf = charsOf
  }

  async get(key: string, read: () => Promise<T>): Promise<T> {
    const stamp = this.#stampNow()
    if (stamp !== this.#stamp) this.#forget()
    this.#stamp = stamp
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const found = await read()
    // Nothing has changed meanwhile, and neither has anybody else found that it has.
    if (stamp === undefined || stamp !== this.#stamp || stamp !== this.#stampNow()) return found
    const chars = this.#charsOf(found)
    if (chars > MAX_CHARS_EACH) return found
    if (this.#kept.size >= MAX_ENTRIES || this.#chars + chars > MAX_CHARS) this.#forget()
    this.#kept.set(key, found)
    this.#chars += chars
    return found
  }

  #forget(): void {
    this.#kept.clear()
    this.#chars = 0
  }

  #stampNow(): string | undefined {
    if (!isWatched(this.#metadata)) return undefined
    let stamp = ''
    for (const table of this.#tables) stamp += `${this.#metadata.changesOf(table)},`
    return stamp
  }
}
