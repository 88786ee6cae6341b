import type { DuckDBConnection } from '@duckdb/node-api'
import { toFault } from '../contract/faults.ts'
import { ROW } from '../contract/source.ts'
import type { SqlPart } from '../duckdb/parse-sql.ts'
import { type Catch, type Caught, Sieve, type Sifted } from '../records/sieve.ts'
import { bisect } from './bisect.ts'

export interface Sorted {
  readonly given: number
  readonly caught: readonly Caught[]
  /** Whether the records that passed were put in their order. */
  readonly isInOrder: boolean
}

interface Records extends Sifted {
  readonly table: string
}

/** Puts records through a statement that some of them make fail: once with all that are not suspected, once with the rest. */
export class Sifting {
  readonly #database: DuckDBConnection
  readonly #sieve: Sieve
  readonly #scratch: string

  constructor(database: DuckDBConnection, scratch: string) {
    this.#database = database
    this.#scratch = scratch
    this.#sieve = new Sieve(database, scratch)
  }

  /** `put` runs the statement with the records for which a condition holds, and answers how many came out. */
  async sift(parts: readonly SqlPart[], records: Records, put: (where: string) => Promise<number>): Promise<Sorted> {
    const whole = await orAtFault(() => put('true'))
    if (whole !== undefined) return { given: whole, caught: [], isInOrder: true }
    const suspects = await this.#sieve.suspects(parts, records)
    const clean = suspects === undefined ? undefined : await orAtFault(() => put(outside(suspects.table)))
    const asked = clean === undefined ? undefined : suspects
    const among = asked === undefined ? 'true' : `${ROW} IN (SELECT ${ROW} FROM ${asked.table})`
    const found = await this.#sieve.caught(parts, records, asked)
    const rest =
      found === false
        ? undefined
        : found.caught.length === asked?.count
          ? 0
          : await orAtFault(() => put(`${among} AND ${outside(found.table)}`))
    if (found !== false && rest !== undefined) {
      return { given: (clean ?? 0) + rest, caught: found.caught, isInOrder: clean === undefined || rest === 0 }
    }
    const halves = await this.#byHalves(records, among, put)
    return { given: (clean ?? 0) + halves.given, caught: halves.caught, isInOrder: false }
  }

  /**
   * The records at fault by what expressions say alone, without a statement that is run with them: undefined where casts explain
   * nothing. Their table stays until the batch is through.
   */
  async judge(parts: readonly SqlPart[], records: Sifted): Promise<Catch | undefined> {
    const suspects = await this.#sieve.suspects(parts, records)
    if (suspects === undefined) return undefined
    const found = await this.#sieve.caught(parts, records, suspects)
    return found === false ? undefined : found
  }

  async drop(): Promise<void> {
    await this.#sieve.drop()
  }

  /** The last resort, where functions give another result each time: a statement for every half. */
  async #byHalves({ table, columns }: Records, among: string, put: (where: string) => Promise<number>) {
    const some = `${this.#scratch.slice(0, -1)}:some"`
    await this.#database.run(`CREATE OR REPLACE TABLE ${some} AS SELECT * FROM ${table} WHERE ${among}`)
    let given = 0
    const caught = await bisect(this.#database, { table: some, columns }, async (where) => {
      given += await put(`${ROW} IN (SELECT ${ROW} FROM ${some} WHERE ${where})`)
    })
    await this.#database.run(`DROP TABLE ${some}`)
    return { given, caught }
  }
}

/** SQL of whether a record is none of a table's. */
export const outside = (table: string): string => `${ROW} NOT IN (SELECT ${ROW} FROM ${table})`

/** What the work answers; undefined where it fails because of records. */
export async function orAtFault<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    const fault = toFault(error)
    if (fault.kind !== 'records') throw fault
    return undefined
  }
}
