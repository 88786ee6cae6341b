/** A map of at most so many entries: the oldest makes room for the next. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number

  constructor(max: number) {
    super()
    this.#max = max
  }

  /** An entry that is set again counts as the newest. */
  override set(key: K, value: V): this {
    this.delete(key)
    if (this.size >= this.#max) this.delete(this.keys().next().value as K)
    return super.set(key, value)
  }
}
