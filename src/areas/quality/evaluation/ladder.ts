import { sqlTexts } from '../../../data/relation.ts'
import type { DataRow } from '../../../data/sql-process/messages.ts'
import type { Comparison } from './comparison.ts'
import type { Compiled } from './compile.ts'
import { type Asks, numberIn, numbersIn, sumOf, type Told } from './told.ts'
import { both } from './unaskable.ts'

/** Values of a column, as SQL, that are below or above, or are no numbers, are wrong. */
export interface Bounds {
  readonly value: string
  readonly min: number | undefined
  readonly max: number | undefined
}

/**
 * Counts the values of a DOUBLE between the bounds of several rules at once: to find the step that a value is on costs about as
 * much as to compare it with two bounds. The steps go down from the greatest value: DuckDB puts what is no number on the first step,
 * and for SQL it is greater than all that are.
 */
class Ladder {
  readonly #rows: Rows
  /** Of the values with their signs turned, so that they go up. */
  readonly #steps: readonly number[]
  readonly #places: ReadonlyMap<number, number>

  constructor(rows: Rows, steps: ReadonlySet<number>) {
    this.#rows = rows
    this.#steps = [...steps].sort((a, b) => a - b)
    this.#places = new Map(this.#steps.map((step, at) => [step, at]))
  }

  /** How many values there are. */
  all(asks: Asks): Told {
    const counts = this.#counts(asks)
    return (row) => sumOf(counts(row))
  }

  /** How many values are outside of the bounds. */
  outside({ min, max }: Bounds, asks: Asks): Told {
    const counts = this.#counts(asks)
    const notNumbers = max === undefined ? this.#notNumbers(asks) : undefined
    return (row) => {
      const numbers = counts(row)
      const above = max === undefined ? numberIn(notNumbers?.(row) ?? 0) : this.#from(numbers, stepAbove(max))
      return above + (min === undefined ? 0 : sumOf(numbers) - this.#from(numbers, stepAt(min)))
    }
  }

  /** Of how many values a comparison holds. */
  holding(comparison: Comparison, asks: Asks): Told {
    const counts = this.#counts(asks)
    const isLess = comparison.sign === '<' || comparison.sign === '<='
    return (row) => {
      const numbers = counts(row)
      const greater = this.#from(numbers, stepOf(comparison))
      return isLess ? sumOf(numbers) - greater : greater
    }
  }

  /** Equality is asked faster than `isnan`. */
  #notNumbers(asks: Asks): Told {
    const { value, condition } = this.#rows
    const isNone = `${value} = 'nan'::DOUBLE`
    return asks(`count_if(${condition === undefined ? isNone : `${isNone} AND (${condition})`})`)
  }

  /** How many values are on a step or on one of greater values. */
  #from(counts: readonly number[], step: number): number {
    return sumOf(counts.slice(0, (this.#places.get(step) ?? 0) + 1))
  }

  /** The numbers of values on each step, and of those beyond the last. Of few rows, a filter leaves less to look at than CASE does. */
  #counts(asks: Asks): (row: DataRow) => number[] {
    const { value, condition } = this.#rows
    const filter = condition === undefined ? '' : ` FILTER (WHERE ${condition})`
    const steps = `${sqlTexts(this.#steps.map(String))}::DOUBLE[]`
    const told = asks(`map_values(histogram(-${value}, ${steps})${filter})`)
    return (row) => numbersIn(told(row))
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

const stepsOf = ({ min, max }: Bounds): number[] => [
  ...(min === undefined ? [] : [stepAt(min)]),
  ...(max === undefined ? [] : [stepAbove(max)])
]

/** The step down to which values are greater, or not less, as the comparison asks; those of which less is asked are all others. */
const stepOf = ({ sign, bound }: Comparison): number =>
  sign === '<' || sign === '>=' ? stepAt(bound) : stepAbove(bound)

/** The last step of values that are not less than a bound. */
const stepAt = (bound: number): number => 0 - bound

/** The last step of values that are greater than a bound. */
const stepAbove = (bound: number): number => before(0 - bound)

/** The greatest number below another. */
function before(bound: number): number {
  if (bound === 0) return -Number.MIN_VALUE
  const bits = new BigInt64Array(new Float64Array([bound]).buffer)
  bits[0] = (bits[0] as bigint) + (bound > 0 ? -1n : 1n)
  return new Float64Array(bits.buffer)[0] as number
}
