import { BoundedMap } from './bounded-map.ts'
import type { Clock } from './clock.ts'

/** What was found out, by what was asked: to be used again for a while, and forgotten as soon as it may have changed. */
export class Known<V> {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #answers: BoundedMap<string, { readonly value: V; readonly askedMs: number }>
  #generation = 0

  /** All that is known weighs at most `max`, each answer 1 unless said. */
  constructor(clock: Pick<Clock, 'elapsed'>, max: number, weightOf: (value: V) => number = () => 1) {
    this.#clock = clock
    this.#answers = new BoundedMap(max, ({ value }) => weightOf(value))
  }

  /** Where it was asked less than so long ago. */
  get(key: string, forMs: number): V | undefined {
    const answer = this.#answers.get(key)
    return answer !== undefined && this.#clock.elapsed() < answer.askedMs + forMs ? answer.value : undefined
  }

  async ask(key: string, find: () => Promise<V>): Promise<V> {
    const asked = this.#generation
    const askedMs = this.#clock.elapsed()
    const value = await find()
    // What may have changed while it was looked for serves whoever asked, and is not kept.
    if (asked === this.#generation) this.#answers.set(key, { value, askedMs })
    return value
  }

  delete(key: string): void {
    this.#answers.delete(key)
  }

  forget(): void {
    this.#generation++
    this.#answers.clear()
  }
}
