import type { DataRow } from '../../../data/sql-process/messages.ts'
import { type Compiled, DATASET } from './compile.ts'
import type { Bounds } from './ladder.ts'
import type { OwnScan } from './own-scan.ts'
import { type Asks, numbersIn, sumOf, type Told } from './told.ts'

/** The least and the greatest whole number, exact ones, that a rule allows. */
export type WholeBounds = Bounds

/** So many bounds of a column take as long as a scan of it alone. */
const LEAST_BOUNDS = 5

/**
 * Counts the whole numbers that lie outside of what any of several rules allows, all at once. What is within all bounds is left out
 * while it is read, and where Parquet tells that all of a part is, that part is not read.
 */
class WholeLimits implements OwnScan {
  readonly #value: string
  readonly #name: string
  readonly #minima: readonly number[]
  readonly #maxima: readonly number[]
  /** The greatest numbers that are below each minimum, or within each maximum. */
  readonly #steps: readonly number[]

  constructor(name: string, value: string, all: readonly WholeBounds[]) {
    this.#name = name
    this.#value = value
    this.#minima = all.flatMap(({ min }) => min ?? [])
    this.#maxima = all.flatMap(({ max }) => max ?? [])
    this.#steps = stepsOf(all)
  }

  /** The values are counted without the others: where none is missing, Parquet tells how many there are. */
  get source(): string {
    const outside = [
      ...(this.#minima.length === 0 ? [] : [`${this.#value} < (${Math.max(...this.#minima)})`]),
      ...(this.#maxima.length === 0 ? [] : [`${this.#value} > (${Math.min(...this.#maxima)})`])
    ]
    const steps = `[${this.#steps.join(', ')}]::BIGINT[]`
    const all = `(SELECT count(${this.#value}) AS present FROM ${DATASET})`
    const some = `(SELECT map_values(histogram(${this.#value}::BIGINT, ${steps})) AS counts FROM ${DATASET} WHERE ${outside.join(' OR ')})`
    return `(SELECT * FROM ${all}, ${some}) AS ${this.#name}`
  }

  present(asks: Asks): Told {
    return asks(`${this.#name}.present`)
  }

  wrong({ wholes }: Compiled, asks: Asks): Told {
    const { min, max } = wholes ?? {}
    const told = asks(`${this.#name}.counts`)
    return (row: DataRow) => {
      const counts = numbersIn(told(row))
      const below = min === undefined ? 0 : this.#upTo(counts, min - 1)
      return below + (max === undefined ? 0 : sumOf(counts) - this.#upTo(counts, max))
    }
  }

  #upTo(counts: readonly number[], step: number): number {
    return sumOf(counts.slice(0, this.#steps.indexOf(step) + 1))
  }
}

const stepsOf = (all: readonly WholeBounds[]): number[] =>
  [
    ...new Set(
      all.flatMap(({ min, max }) => [...(min === undefined ? [] : [min - 1]), ...(max === undefined ? [] : [max])])
    )
  ].sort((a, b) => a - b)

/** For rules about whole numbers of all rows. */
export function wholeLimitsOf(asked: readonly Compiled[]): ReadonlyMap<Compiled, OwnScan> {
  const limits = new Map<Compiled, OwnScan>()
  const whole = asked.filter(({ wholes, sample }) => wholes !== undefined && sample === undefined)
  for (const [at, members] of [...Map.groupBy(whole, ({ wholes }) => wholes?.value ?? '').values()].entries()) {
    const all = members.map(({ wholes }) => wholes as WholeBounds)
    if (stepsOf(all).length < LEAST_BOUNDS) continue
    const shared = new WholeLimits(`wholes${at}`, (all[0] as WholeBounds).value, all)
    for (const member of members) limits.set(member, shared)
  }
  return limits
}
