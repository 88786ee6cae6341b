import fc, { type Arbitrary } from 'fast-check'

/** Decisions that a property test can make smaller: fewer and lower numbers mean simpler things. */
export class Choices {
  readonly #numbers: readonly number[]
  #at = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  /** From 0 up to, not including, `count`. */
  below(count: number): number {
    const number = this.#numbers[this.#at++] ?? 0
    return number % count
  }

  of<T>(...all: readonly T[]): T {
    return all[this.below(all.length)] as T
  }

  /** Once in so many times. */
  once(inTimes: number): boolean {
    return this.below(inTimes) === inTimes - 1
  }

  random = (): number => this.below(1000) / 1000
}

export const choices: Arbitrary<Choices> = fc
  .array(fc.nat(999), { minLength: 0, maxLength: 150, size: 'max' })
  .map((numbers) => new Choices(numbers))
