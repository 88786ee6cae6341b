import { type Compiled, DATASET } from './compile.ts'
import type { OwnScan } from './own-scan.ts'
import { type Asks, numberIn, sumOf, type Told } from './told.ts'

/** The first and the last time, as literals of the type of the column, that a rule allows. */
export interface TimeBounds {
  readonly value: string
  readonly min: string | undefined
  readonly max: string | undefined
}

/**
 * Counts the times that lie outside of what any of several rules allows. Times are often in order, and Parquet tells the least and the
 * greatest of every hundred thousand rows or so: those that lie within all bounds are not read at all.
 */
class TimeLimits implements OwnScan {
  readonly #value: string
  readonly #name: string
  readonly #minima: readonly string[]
  readonly #maxima: readonly string[]

  constructor(name: string, value: string, all: readonly TimeBounds[]) {
    this.#name = name
    this.#value = value
    this.#minima = [...new Set(all.flatMap(({ min }) => min ?? []))]
    this.#maxima = [...new Set(all.flatMap(({ max }) => max ?? []))]
  }

  /** The values are counted without the others: where none is missing, Parquet tells how many there are. */
  get source(): string {
    const value = this.#value
    const counts = [
      ...this.#minima.map((min, at) => `count_if(${value} < ${min}) AS below${at}`),
      ...this.#maxima.map((max, at) => `count_if(${value} > ${max}) AS above${at}`)
    ]
    const outside = [
      ...(this.#minima.length === 0 ? [] : [`${value} < greatest(${this.#minima.join(', ')})`]),
      ...(this.#maxima.length === 0 ? [] : [`${value} > least(${this.#maxima.join(', ')})`])
    ]
    const all = `(SELECT count(${value}) AS present FROM ${DATASET})`
    const some = `(SELECT ${counts.join(', ')} FROM ${DATASET} WHERE ${outside.join(' OR ')})`
    return `(SELECT * FROM ${all}, ${some}) AS ${this.#name}`
  }

  present(asks: Asks): Told {
    return asks(`${this.#name}.present`)
  }

  wrong({ times }: Compiled, asks: Asks): Told {
    const [below, above] = [this.#minima.indexOf(times?.min ?? ''), this.#maxima.indexOf(times?.max ?? '')]
    const counts = [...(below < 0 ? [] : [`below${below}`]), ...(above < 0 ? [] : [`above${above}`])]
    const told = counts.map((count) => asks(`${this.#name}.${count}`))
    return (row) => sumOf(told.map((one) => numberIn(one(row))))
  }
}

/** For rules about times of all rows. */
export function timeLimitsOf(asked: readonly Compiled[]): ReadonlyMap<Compiled, OwnScan> {
  const limits = new Map<Compiled, OwnScan>()
  const whole = asked.filter(({ times, sample }) => times !== undefined && sample === undefined)
  for (const [at, members] of [...Map.groupBy(whole, ({ times }) => times?.value ?? '').values()].entries()) {
    const all = members.map(({ times }) => times as TimeBounds)
    const shared = new TimeLimits(`times${at}`, (all[0] as TimeBounds).value, all)
    for (const member of members) limits.set(member, shared)
  }
  return limits
}
