import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlName } from '../../../data/relation.ts'
import { wrongType } from '../nodes/column-types.ts'
import type { Column, SqlPart } from '../nodes/node-type.ts'
import { type Rejected, ROW } from '../nodes/source.ts'
import { aggregateNames } from './aggregate-names.ts'
import { type Cast, castsIn } from './casts.ts'
import { familyOf } from './columns.ts'
import { runCounted } from './database.ts'
import { toFault } from './faults.ts'
import { selectOf } from './parse-sql.ts'

/** A record that is at fault, by its `ROW`. */
export interface Caught extends Rejected {
  readonly row: number
}

/** Records in a table with the column `ROW`. */
export interface Sifted {
  readonly table: string
  readonly columns: readonly Column[]
}

/** Records that may be at fault. */
export interface Suspects {
  readonly table: string
  readonly count: number
}

/** Which failed, by the expression it is in. */
interface Suspicion extends Cast {
  readonly field: string
}

const CAST = '"millrace:cast"'
/** Of records that no cast explains, as many are computed alone to hear what DuckDB says of each. */
const MAX_HEARD = 20

/**
 * Finds the records for which expressions can't be computed, all at once: those with a value that a cast does not take are
 * found by trying the casts alone, and of these, or of all where no cast explains the fault, DuckDB's TRY tells which fail.
 */
export class Sieve {
  readonly #database: DuckDBConnection
  /** A name for tables of its own. */
  readonly #scratch: string
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
  async suspects(parts: readonly SqlPart[], { table, columns }: Sifted): Promise<Suspects | undefined> {
    const casts = await this.#castsOf(parts)
    const cases = casts
      .flatMap((cast, i) => (mayFail(cast, columns) ? [`WHEN ${failsIn(cast)} THEN ${i}`] : []))
      .join(' ')
    if (cases === '') return undefined
    const name = `${this.#scratch.slice(0, -1)}:suspects"`
    try {
      const sql = `SELECT ${ROW}, CASE ${cases} END AS ${CAST} FROM ${relation(table, columns)} WHERE ${CAST} IS NOT NULL`
      const count = await runCounted(this.#database, `CREATE OR REPLACE TABLE ${name} AS ${sql}`)
      return count === 0 ? undefined : { table: name, count }
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
  async caught(parts: readonly SqlPart[], sifted: Sifted, suspects: string | undefined): Promise<Caught[] | false> {
    const rows = parts.filter(({ form }) => form === 'row')
    const from = relation(sifted.table, sifted.columns, suspects)
    const name = this.caughtTable
    const attempt = rows.map(({ text }) => `[(\n${text}\n)::VARCHAR]`)
    const tried = rows.length === parts.length ? `TRY([${attempt.join(', ')}]) IS NULL` : 'true'
    const cast = suspects === undefined ? 'NULL::INTEGER' : CAST
    const casts = await this.#castsOf(parts)
    const certain = casts.flatMap(({ isCertain }, i) => (isCertain ? [i] : []))
    const isKnown = suspects !== undefined && certain.length === casts.length
    const isCertain = `${CAST} IN (${[...certain, -1].join(', ')})`
    const fails = isKnown
      ? 'true'
      : suspects === undefined
        ? tried
        : `CASE WHEN ${isCertain} THEN true ELSE ${tried} END`
    try {
      await this.#database.run(
        `CREATE OR REPLACE TABLE ${name} AS SELECT ${ROW}, ${cast} AS ${CAST} FROM ${from} WHERE ${fails}`
      )
    } catch (error) {
      if (/TRY can not be used/.test(String(error))) return false
      throw error
    }
    return this.#explained(parts, sifted, name)
  }

  /** Where the records are that were caught last. */
  get caughtTable(): string {
    return `${this.#scratch.slice(0, -1)}:caught"`
  }

  async drop(): Promise<void> {
    await this.#database.run(`DROP TABLE IF EXISTS ${this.caughtTable}`)
    await this.#database.run(`DROP TABLE IF EXISTS ${this.#scratch.slice(0, -1)}:suspects"`)
  }

  async #explained(parts: readonly SqlPart[], { table, columns }: Sifted, caught: string): Promise<Caught[]> {
    const casts = await this.#castsOf(parts)
    const values = casts.map(({ value }, i) => `WHEN ${i} THEN TRY_CAST(${value} AS VARCHAR)`)
    const got = values.length === 0 ? 'NULL' : `CASE ${CAST} ${values.join(' ')} END`
    const reader = await this.#database.runAndReadAll(
      `SELECT ${ROW}, ${CAST}, ${got}, ${recordJson(columns)} FROM ${relation(table, columns, caught)} ORDER BY ${ROW}`
    )
    const heard = { count: 0, last: 'The expressions of this node can’t be computed for it' }
    const found: Caught[] = []
    for (const [row, cast, value, record] of reader.getRows() as [bigint, number | null, string | null, string][]) {
      const reason =
        cast === null
          ? await this.#hear(parts, { table, columns }, row, heard)
          : reasonOf(casts[cast] as Suspicion, value)
      found.push({ row: Number(row), code: 'invalid_value', reason, record, columns })
    }
    return found
  }

  /** What DuckDB says of one record; of later ones, what it said of the last. */
  async #hear(
    parts: readonly SqlPart[],
    { table, columns }: Sifted,
    row: bigint,
    heard: { count: number; last: string }
  ): Promise<string> {
    if (heard.count >= MAX_HEARD) return heard.last
    heard.count += 1
    const list = parts.map(({ text }) => `(\n${text}\n)`).join(', ')
    try {
      await this.#database.run(`SELECT ${list} FROM ${relation(table, columns, undefined, `${ROW} = ${row}`)}`)
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

/** Records of a table, or some of them, as the relation `input` that expressions of users speak of. */
function relation(table: string, columns: readonly Column[], some?: string, where?: string): string {
  const list = [...columns.map(({ name }) => `t.${sqlName(name)}`), `t.${ROW}`]
  if (some !== undefined) list.push(`s.${CAST}`)
  const join = some === undefined ? '' : ` JOIN ${some} s ON t.${ROW} = s.${ROW}`
  return `(SELECT ${list.join(', ')} FROM ${table} t${join}${where === undefined ? '' : ` WHERE t.${where}`}) AS input`
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
