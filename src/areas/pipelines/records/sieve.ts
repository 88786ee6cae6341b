import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlName } from '../../../data/relation.ts'
import { toFault } from '../contract/faults.ts'
import { type Rejected, ROW } from '../contract/source.ts'
import { aggregateNames } from '../duckdb/aggregate-names.ts'
import { type Cast, castsIn } from '../duckdb/casts.ts'
import { type Column, familyOf } from '../duckdb/columns.ts'
import { runCounted } from '../duckdb/database.ts'
import { type SqlPart, selectOf } from '../duckdb/parse-sql.ts'
import { wrongType } from './column-types.ts'

/** A record that is at fault, by its `ROW`. */
export interface Caught extends Rejected {
  readonly row: number
}

/** Records as a SELECT with the column `ROW`. */
export interface Sifted {
  readonly numbered: string
  readonly columns: readonly Column[]
}

/** A table of records that may be at fault, with the cast that does not take them. */
export interface Suspects {
  readonly table: string
  readonly count: number
}

/** A table of records that are at fault, and the same with what is wrong. */
export interface Catch {
  readonly table: string
  readonly caught: readonly Caught[]
}

/** A cast that may have failed, with the expression that it is in. */
interface Suspicion extends Cast {
  readonly field: string
}

const CAST = '"millrace:cast"'
/** Records whose fault no cast explains and that are computed alone, to hear what DuckDB says of each. */
const MAX_HEARD = 20

/**
 * Finds the records for which expressions can't be computed, all at once: those with a value that a cast does not take are
 * found by trying the casts alone, and of these, or of all where no cast explains the fault, DuckDB's TRY tells which fail.
 */
export class Sieve {
  readonly #database: DuckDBConnection
  /** A name for tables of its own. */
  readonly #scratch: string
  readonly #tables: string[] = []
  readonly #casts = new Map<string, Promise<readonly Suspicion[]>>()
  #aggregates: Promise<ReadonlySet<string>> | undefined

  constructor(database: DuckDBConnection, scratch: string) {
    this.#database = database
    this.#scratch = scratch
  }

  /**
   * Makes a table of the records with a value that a cast in one of the expressions does not take, which need not mean that
   * they fail: the cast may be in a branch that is not taken. Undefined where casts explain nothing.
   */
  async suspects(parts: readonly SqlPart[], { numbered, columns }: Sifted): Promise<Suspects | undefined> {
    const casts = await this.#castsOf(parts)
    const cases = casts
      .flatMap((cast, i) => (mayFail(cast, columns) ? [`WHEN ${failsIn(cast)} THEN ${i}`] : []))
      .join(' ')
    if (cases === '') return undefined
    try {
      const found = await this.#keep(
        `SELECT *, CASE ${cases} END AS ${CAST} FROM (${numbered}) AS input WHERE ${CAST} IS NOT NULL`
      )
      return found.count === 0 ? undefined : found
    } catch (error) {
      const { kind, code } = toFault(error)
      if (kind === 'records' || code === 'sql_error') return undefined
      throw error
    }
  }

  /**
   * The records among the suspects, or among all, for which the expressions fail. `false` where that can't be asked, because
   * a function gives another result each time.
   */
  async caught(parts: readonly SqlPart[], sifted: Sifted, suspects: Suspects | undefined): Promise<Catch | false> {
    const { columns } = sifted
    if (suspects === undefined) {
      const all = `SELECT *, NULL::INTEGER AS ${CAST} FROM (${sifted.numbered}) AS input WHERE ${attemptOf(parts)}`
      return this.#explained(parts, columns, () => this.#keep(all))
    }
    const casts = await this.#castsOf(parts)
    const certain = casts.flatMap(({ isCertain }, i) => (isCertain ? [i] : []))
    if (certain.length === casts.length) return this.#explained(parts, columns, async () => suspects)
    const fails = `CASE WHEN ${CAST} IN (${[...certain, -1].join(', ')}) THEN true ELSE ${attemptOf(parts)} END`
    const among = `SELECT * FROM (SELECT * FROM ${suspects.table}) AS input WHERE ${fails}`
    return this.#explained(parts, columns, () => this.#keep(among))
  }

  async drop(): Promise<void> {
    for (const table of this.#tables.splice(0)) await this.#database.run(`DROP TABLE IF EXISTS ${table}`)
  }

  /** A table that stays until the batch is through. */
  async #keep(sql: string): Promise<Suspects> {
    const table = `${this.#scratch.slice(0, -1)}:${this.#tables.length + 1}"`
    this.#tables.push(table)
    return { table, count: await runCounted(this.#database, `CREATE OR REPLACE TABLE ${table} AS ${sql}`) }
  }

  async #explained(
    parts: readonly SqlPart[],
    columns: readonly Column[],
    find: () => Promise<Suspects>
  ): Promise<Catch | false> {
    const casts = await this.#castsOf(parts)
    let table: string
    try {
      table = (await find()).table
    } catch (error) {
      if (/TRY can not be used/.test(String(error))) return false
      throw error
    }
    const values = casts.map(({ value }, i) => `WHEN ${i} THEN TRY_CAST(${value} AS VARCHAR)`)
    const got = values.length === 0 ? 'NULL' : `CASE ${CAST} ${values.join(' ')} END`
    const reader = await this.#database.runAndReadAll(
      `SELECT ${ROW}, ${CAST}, ${got}, ${recordJson(columns)} FROM (SELECT * FROM ${table}) AS input ORDER BY ${ROW}`
    )
    const heard = { count: 0, last: 'The expressions of this node can’t be computed for it' }
    const caught: Caught[] = []
    for (const [row, cast, value, record] of reader.getRows() as [bigint, number | null, string | null, string][]) {
      const reason =
        cast === null ? await this.#hear(parts, table, row, heard) : reasonOf(casts[cast] as Suspicion, value)
      caught.push({ row: Number(row), code: 'invalid_value', reason, record, columns })
    }
    return { table, caught }
  }

  /** What DuckDB says of one record; of later ones, what it said of the last. */
  async #hear(
    parts: readonly SqlPart[],
    table: string,
    row: bigint,
    heard: { count: number; last: string }
  ): Promise<string> {
    if (heard.count >= MAX_HEARD) return heard.last
    heard.count += 1
    const list = parts.map(({ text }) => `(\n${text}\n)`).join(', ')
    try {
      await this.#database.run(`SELECT ${list} FROM (SELECT * FROM ${table} WHERE ${ROW} = ${row}) AS input`)
    } catch (error) {
      heard.last = toFault(error).message
    }
    return heard.last
  }

  #castsOf(parts: readonly SqlPart[]): Promise<readonly Suspicion[]> {
    const key = parts.map(({ text }) => text).join('\n')
    const known = this.#casts.get(key) ?? this.#findCasts(parts)
    this.#casts.set(key, known)
    return known
  }

  async #findCasts(parts: readonly SqlPart[]): Promise<Suspicion[]> {
    this.#aggregates ??= aggregateNames(this.#database)
    const aggregates = await this.#aggregates
    const found: Suspicion[] = []
    for (const part of parts) {
      const field = part.pointer.split('/').at(-1)?.replaceAll('~1', '/').replaceAll('~0', '~') ?? ''
      for (const cast of await castsIn(this.#database, selectOf(part), aggregates)) found.push({ ...cast, field })
    }
    return found
  }
}

/** Whether there can be values that the cast does not take, by the type of the column that is cast. */
function mayFail({ value, type }: Cast, columns: readonly Column[]): boolean {
  const name = value.replaceAll('"', '').toLowerCase()
  const family = familyOf(columns.find((column) => column.name.toLowerCase() === name)?.type ?? '')
  if (family === 'number') return type !== 'DOUBLE' && type !== 'VARCHAR'
  return family !== 'time' || !['TIMESTAMP', 'TIMESTAMP WITH TIME ZONE', 'VARCHAR'].includes(type)
}

const failsIn = ({ value, tried }: Cast): string => `(${value}) IS NOT NULL AND (${tried}) IS NULL`

function reasonOf({ value, type, field }: Suspicion, got: string | null): string {
  // Of `celsius::DOUBLE` the column is what somebody looks for, whatever it is called afterwards.
  const name = /^"?[\w ]+"?$/.test(value) ? value.replaceAll('"', '') : field
  return wrongType(name, type, JSON.stringify(got))
}

/** SQL of whether the expressions of a record can't be computed; all are suspected where one speaks of several records. */
function attemptOf(parts: readonly SqlPart[]): string {
  if (parts.some(({ form }) => form !== 'row')) return 'true'
  return `TRY([${parts.map(({ text }) => `[(\n${text}\n)::VARCHAR]`).join(', ')}]) IS NULL`
}

/** JSON knows no number that is infinite or none: those are texts. */
function finite({ name, type }: Column): string {
  const value = sqlName(name)
  if (type !== 'DOUBLE' && type !== 'FLOAT') return value
  return `CASE WHEN isfinite(${value}) THEN to_json(${value}) ELSE to_json(${value}::VARCHAR) END`
}

/** A record as JSON text, without the columns that are not its own. */
export function recordJson(columns: readonly Column[]): string {
  if (columns.length === 0) return "'{}'"
  const fields = columns.map((column) => `${sqlName(column.name)} := ${finite(column)}`)
  return `to_json(struct_pack(${fields.join(', ')}))::VARCHAR`
}
