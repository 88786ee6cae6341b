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
  readonly #rows: Rows
  readonly #steps: readonly number[]
  readonly #places: ReadonlyMap<number, number>

  constructor(rows: Rows, steps: ReadonlySet<number>) {
    this.#rows = rows
    this.#steps = [...steps].sort((a, b) => a - b)
    this.#places = new Map(this.#steps.map((step, at) => [step, at]))
  }

  /** How many values there are. */
  all(named: Named): string {
    return `coalesce(list_sum(${this.#counts(named)}), 0)`
  }

  /** How many values are outside of the bounds. */
  outside({ min, max }: Bounds, named: Named): string {
    const below = min === undefined ? this.#notNumbers(named) : this.#upTo(before(min), named)
    const above = max === undefined ? '' : ` + ${this.all(named)} - ${this.#upTo(max, named)}`
    return `coalesce(${below}${above}, 0)`
  }

  /** Of how many values a comparison holds. For SQL, what is no number is greater than all that are. */
  holding(comparison: Comparison, named: Named): string {
    const upTo = `${this.#upTo(stepOf(comparison), named)} - ${this.#notNumbers(named)}`
    const isLess = comparison.sign === '<' || comparison.sign === '<='
    return `coalesce(${isLess ? upTo : `${this.all(named)} - (${upTo})`}, 0)`
  }

  /** Equality is asked faster than `isnan`. */
  #notNumbers(named: Named): string {
    const { value, condition } = this.#rows
    const isNone = `${value} = 'nan'::DOUBLE`
    return named(`count_if(${condition === undefined ? isNone : `${isNone} AND (${condition})`})`)
  }

  /** With what is no number, which is on the first step. */
  #upTo(step: number, named: Named): string {
    return `list_sum(list_slice(${this.#counts(named)}, 1, ${(this.#places.get(step) ?? 0) + 1}))`
  }

  /** The numbers of values on each step, and of those beyond the last. Of few rows, a filter leaves less to look at than CASE does. */
  #counts(named: Named): string {
    const { value, condition } = this.#rows
    const filter = condition === undefined ? '' : ` FILTER (WHERE ${condition})`
    return named(`map_values(histogram(${value}, ${sqlTexts(this.#steps.map(String))}::DOUBLE[])${filter})`)
  }
}

/** So many comparisons take as long as one ladder. */
const LEAST_COMPARISONS = 3

interface Wanted {
  readonly rows: Rows
  comparisons: number
  readonly steps: Set<number>
}

/** For rules about the same values of the same rows; a few comparisons need none. */
export class Ladders {
  readonly #wanted = new Map<string, Wanted>()
  readonly #ladders = new Map<string, Ladder>()

  constructor(asked: readonly Compiled[]) {
    for (const { checked, failed, bounds, compared } of asked) {
      if (bounds !== undefined) this.#want(rowsIn(checked, bounds.value), 2, stepsOf(bounds))
      if (compared === undefined || failed === undefined) continue
      const { by, rest } = compared
      for (const rows of [rest, both(rest, failed)]) this.#want(rowsIn(rows, by.value), 1, [stepOf(by)])
    }
    for (const [key, { rows, comparisons, steps }] of this.#wanted) {
      if (comparisons >= LEAST_COMPARISONS) this.#ladders.set(key, new Ladder(rows, steps))
    }
  }

  /** The one for a value of the rows for which a condition holds. */
  find(condition: string, value: string): Ladder | undefined {
    return this.#ladders.get(keyOf(rowsIn(condition, value)))
  }

  #want(rows: Rows, comparisons: number, steps: readonly number[]): void {
    const wanted = this.#wanted.getOrInsertComputed(keyOf(rows), () => ({ rows, comparisons: 0, steps: new Set() }))
    wanted.comparisons += comparisons
    for (const step of steps) wanted.steps.add(step)
  }
}

/** Values of the rows for which a condition holds; of all rows where there is none. */
interface Rows {
  readonly value: string
  readonly condition: string | undefined
}

const rowsIn = (condition: string, value: string): Rows => ({
  value,
  condition: condition === 'TRUE' || condition === `${value} IS NOT NULL` ? undefined : condition
})

const keyOf = ({ value, condition = '' }: Rows): string => `${value} ${condition}`

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
