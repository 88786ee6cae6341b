import { sqlTexts } from '../../../data/relation.ts'
import type { Comparison } from './comparison.ts'
import type { Compiled } from './compile.ts'
import { both } from './unaskable.ts'

/** Values of a column, as SQL, that are below or above, or are no numbers, are wrong. */
export interface Bounds {
  readonly value: string
  readonly min: number | undefined
  readonly max: number | undefined
}

/** Gives an aggregate over the rows a name. */
type Named = (aggregate: string) => string

/**
 * Counts the values of a DOUBLE between the bounds of several rules at once: to find the step that a value is on costs about as
 * much as to compare it with two bounds.
 */
class Ladder {
  readonly #value: string
  readonly #steps: readonly number[]
  readonly #places: ReadonlyMap<number, number>

  constructor(value: string, steps: ReadonlySet<number>) {
    this.#value = value
    this.#steps = [...steps].sort((a, b) => a - b)
    this.#places = new Map(this.#steps.map((step, at) => [step, at]))
  }

  /** How many values are outside of the bounds. */
  outside({ min, max }: Bounds, named: Named): string {
    const below = min === undefined ? this.#notNumbers(named) : this.#upTo(before(min), named)
    const above = max === undefined ? '' : ` + ${this.#all(named)} - ${this.#upTo(max, named)}`
    return `coalesce(${below}${above}, 0)`
  }

  /** Of how many values a comparison holds. For SQL, what is no number is greater than all that are. */
  holding(comparison: Comparison, named: Named): string {
    const upTo = `${this.#upTo(stepOf(comparison), named)} - ${this.#notNumbers(named)}`
    const isLess = comparison.sign === '<' || comparison.sign === '<='
    return `coalesce(${isLess ? upTo : `${this.#all(named)} - (${upTo})`}, 0)`
  }

  #all(named: Named): string {
    return named(`count(${this.#value})`)
  }

  #notNumbers(named: Named): string {
    return named(`count_if(isnan(${this.#value}))`)
  }

  /** With what is no number, which is on the first step. */
  #upTo(step: number, named: Named): string {
    const counts = named(`map_values(histogram(${this.#value}, ${sqlTexts(this.#steps.map(String))}::DOUBLE[]))`)
    return `list_sum(list_slice(${counts}, 1, ${(this.#places.get(step) ?? 0) + 1}))`
  }
}

/** So many comparisons take as long as one ladder. */
const LEAST_COMPARISONS = 3

/** For rules about the same values of the same rows; a few comparisons need none. */
export class Ladders {
  readonly #wanted = new Map<string, { comparisons: number; readonly steps: Set<number> }>()
  readonly #ladders = new Map<string, Ladder>()

  constructor(asked: readonly Compiled[]) {
    for (const { checked, failed, bounds, compared } of asked) {
      if (bounds !== undefined) this.#want(valueIn(checked, bounds.value), 2, stepsOf(bounds))
      if (compared === undefined || failed === undefined) continue
      const { by, rest } = compared
      for (const rows of [rest, both(rest, failed)]) this.#want(valueIn(rows, by.value), 1, [stepOf(by)])
    }
    for (const [value, { comparisons, steps }] of this.#wanted) {
      if (comparisons >= LEAST_COMPARISONS) this.#ladders.set(value, new Ladder(value, steps))
    }
  }

  /** The one for a value of the rows for which a condition holds. */
  find(condition: string, value: string): Ladder | undefined {
    return this.#ladders.get(valueIn(condition, value))
  }

  #want(value: string, comparisons: number, steps: readonly number[]): void {
    const wanted = this.#wanted.getOrInsertComputed(value, () => ({ comparisons: 0, steps: new Set<number>() }))
    wanted.comparisons += comparisons
    for (const step of steps) wanted.steps.add(step)
  }
}

/** A value that is null in the rows that are not asked. */
const valueIn = (condition: string, value: string): string =>
  condition === 'TRUE' || condition === `${value} IS NOT NULL` ? value : `CASE WHEN ${condition} THEN ${value} END`

/** The greatest numbers that are below each bound, or within it. */
const stepsOf = ({ min, max }: Bounds): number[] => [
  ...(min === undefined ? [] : [before(min)]),
  ...(max === undefined ? [] : [max + 0])
]

/** The greatest number that is less, or not greater, as the comparison asks. */
const stepOf = ({ sign, bound }: Comparison): number => (sign === '<' || sign === '>=' ? before(bound) : bound + 0)

/** The greatest number below another. */
function before(bound: number): number {
  if (bound === 0) return -Number.MIN_VALUE
  const bits = new BigInt64Array(new Float64Array([bound]).buffer)
  bits[0] = (bits[0] as bigint) + (bound > 0 ? -1n : 1n)
  return new Float64Array(bits.buffer)[0] as number
}
