/** A map whose entries weigh at most so much together, each 1 unless said: the oldest make room for the next. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number
  readonly #weightOf: (value: V) => number
  #weight = 0

  constructor(max: number, weightOf: (value: V) => number = () => 1) {
    super()
    this.#max = max
    this.#weightOf = weightOf
  }

  /** An entry that is set again counts as the newest. One that is too heavy by itself is there alone. */
  override set(key: K, value: V): this {
    this.delete(key)
    const weight = this.#weightOf(value)
    while (this.size > 0 && this.#weight + weight > this.#max) this.delete(this.keys().next().value as K)
    this.#weight += weight
    return super.set(key, value)
  }

  override delete(key: K): boolean {
    if (!this.has(key)) return false
    this.#weight -= this.#weightOf(this.get(key) as V)
    return super.delete(key)
  }

  override clear(): void {
    this.#weight = 0
    super.clear()
  }
}
