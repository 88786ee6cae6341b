import type { DuckDBConnection } from '@duckdb/node-api'
import type { Column, SqlPart } from '../nodes/node-type.ts'
import { ROW } from '../nodes/source.ts'
import { bisect } from './bisect.ts'
import { toFault } from './faults.ts'
import { type Caught, Sieve } from './sieve.ts'

export interface Sorted {
  readonly given: number
  readonly caught: readonly Caught[]
  /** Whether the records that passed were put in their order. */
  readonly isInOrder: boolean
}

interface Records {
  readonly table: string
  readonly columns: readonly Column[]
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
    const clean =
      suspects === undefined
        ? undefined
        : await orAtFault(() => put(`${ROW} NOT IN (SELECT ${ROW} FROM ${suspects.table})`))
    const asked = clean === undefined ? undefined : suspects
    const among = asked === undefined ? 'true' : `${ROW} IN (SELECT ${ROW} FROM ${asked.table})`
    const caught = await this.#sieve.caught(parts, records, asked?.table)
    const rest =
      caught === false
        ? undefined
        : caught.length === asked?.count
          ? 0
          : await orAtFault(() => put(`${among} AND ${ROW} NOT IN (SELECT ${ROW} FROM ${this.#sieve.caughtTable})`))
    if (caught !== false && rest !== undefined) {
      return { given: (clean ?? 0) + rest, caught, isInOrder: clean === undefined || rest === 0 }
    }
    const found = await this.#byHalves(records, among, put)
    return { given: (clean ?? 0) + found.given, caught: found.caught, isInOrder: false }
  }

  /** The records at fault by what expressions say alone, without a statement that is run with them. */
  async judge(parts: readonly SqlPart[], records: Records): Promise<readonly Caught[]> {
    const suspects = await this.#sieve.suspects(parts, records)
    if (suspects === undefined) return []
    const caught = await this.#sieve.caught(parts, records, suspects.table)
    return caught === false ? [] : caught
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

/** Undefined where records are at fault. */
async function orAtFault<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    const fault = toFault(error)
    if (fault.kind !== 'records') throw fault
    return undefined
  }
}
