import { join } from 'node:path'
import {
  BLOB,
  BOOLEAN,
  DOUBLE,
  type DuckDBAppender,
  DuckDBBlobValue,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  HUGEINT,
  INTEGER,
  VARCHAR
} from '@duckdb/node-api'
import { sqlName, sqlText } from '../../../../data/relation.ts'
import type { SqlChunk, SqlColumn, SqlType, SqlValue } from '../../../../engines/sql/index.ts'
import type { NodeContext } from '../../contract/context.ts'
import { type Batch, type BatchPart, type Origin, type Rejected, ROW } from '../../contract/source.ts'
import type { Column } from '../../duckdb/columns.ts'
import { runCounted } from '../../duckdb/database.ts'
import { recordJson } from '../../records/sieve.ts'
import { dateText, TextTable } from './text-table.ts'

/** As many rows as DuckDB has in a vector. */
const VECTOR_ROWS = 2048

/** How values wait in the table, and what they are made into when they are read. */
const TYPES: Readonly<Record<SqlType, { readonly held: DuckDBType; readonly type: string }>> = {
  boolean: { held: BOOLEAN, type: 'BOOLEAN' },
  integer: { held: INTEGER, type: 'INTEGER' },
  bigint: { held: HUGEINT, type: 'BIGINT' }, // unsigned ones may be larger
  double: { held: DOUBLE, type: 'DOUBLE' },
  decimal: { held: VARCHAR, type: 'VARCHAR' },
  text: { held: VARCHAR, type: 'VARCHAR' },
  date: { held: VARCHAR, type: 'DATE' },
  timestamp: { held: VARCHAR, type: 'TIMESTAMP' },
  timestamptz: { held: VARCHAR, type: 'TIMESTAMP WITH TIME ZONE' },
  json: { held: VARCHAR, type: 'JSON' },
  blob: { held: BLOB, type: 'BLOB' }
}

interface HeldColumn extends Column {
  readonly of: SqlColumn
}

/** What rows are read from and by. */
export interface SqlOrigin {
  readonly table?: string | undefined
  readonly cursor?: string | undefined
}

/**
 * Rows of a database as a table, filled chunk by chunk: by lines of text as long as the database gives these, and by values where it
 * does not, or where a line holds something that DuckDB does not take.
 */
export class SqlBatch {
  readonly #context: NodeContext<unknown>
  readonly #name: string
  readonly #columns: readonly HeldColumn[]
  #appender: DuckDBAppender | undefined
  /** Chunks whose lines wait to be read, all that there are so far; undefined once values are handed over. */
  #lines: { readonly table: TextTable; readonly chunks: SqlChunk[] } | undefined
  rows = 0
  bytes = 0

  constructor(context: NodeContext<unknown>, number: number, columns: readonly SqlColumn[]) {
    this.#context = context
    this.#name = `${context.nodeId}:batch:${number}`
    const names = new Set<string>()
    this.#columns = columns.map((of) => ({ of, name: freeName(of.name, names), type: TYPES[of.type].type }))
    this.#lines = {
      table: new TextTable(context.database, join(context.folder, `lines-${number}`), this.#columns),
      chunks: []
    }
  }

  /** Whether all that there is so far came as lines of text. */
  get isText(): boolean {
    return this.#lines !== undefined
  }

  async add(chunk: SqlChunk): Promise<void> {
    this.rows += chunk.rows
    if (chunk.text === undefined || this.#lines === undefined) {
      await this.#forgetLines()
      await this.#append(chunk)
      for (const column of chunk.values) for (const value of column) this.bytes += sizeOf(value)
      return
    }
    this.#lines.chunks.push(chunk)
    await this.#lines.table.add(chunk.text)
    this.bytes += chunk.text.length
  }

  /** Hands over by value what waited as lines. */
  async #forgetLines(): Promise<void> {
    const lines = this.#lines
    if (lines === undefined) return
    this.#lines = undefined
    await lines.table.drop()
    for (const chunk of lines.chunks) await this.#append(chunk)
  }

  async #append({ values, rows }: SqlChunk): Promise<void> {
    const appender = await this.#open()
    const types = this.#columns.map(({ of }) => TYPES[of.type].held)
    for (let from = 0; from < rows; from += VECTOR_ROWS) {
      const to = Math.min(from + VECTOR_ROWS, rows)
      const chunk = DuckDBDataChunk.create(types, to - from)
      for (const [i, type] of types.entries()) {
        chunk.setColumnValues(i, values[i]?.slice(from, to).map(type === VARCHAR ? toText : toDuckDb) ?? [])
      }
      appender.appendDataChunk(chunk)
    }
    appender.flushSync()
  }

  async finish(position: unknown, origin: SqlOrigin = {}): Promise<Batch> {
    if (await this.#lines?.table.make(this.#table)) {
      // Their values are not asked for any more, and the table may be needed for long.
      this.#lines?.chunks.splice(0)
      const part = this.#part(this.#columns.map(({ name }) => sqlName(name)).join(', '), '', this.rows, origin)
      return { parts: [part], position, rejected: [], release: () => this.drop() }
    }
    await this.#forgetLines()
    this.#appender?.closeSync()
    const { database } = this.#context
    const good = this.#columns.map(isGood).join(' AND ')
    const list = this.#columns.map((column) => `${readAs(column)} AS ${sqlName(column.name)}`).join(', ')
    const bad = await runCounted(database, `SELECT count(*) FROM ${this.#table} WHERE NOT (${good})`)
    const part = this.#part(list, bad === 0 ? '' : ` WHERE ${good}`, this.rows - bad, origin)
    return {
      parts: part.rows === 0 ? [] : [part],
      position,
      rejected: bad === 0 ? [] : await this.#rejected(good),
      release: () => this.drop()
    }
  }

  #part(list: string, where: string, rows: number, origin: SqlOrigin): BatchPart {
    return {
      sql: `SELECT ${list} FROM ${this.#table}${where}`,
      numbered: `SELECT ${list}, rowid AS ${ROW} FROM ${this.#table}${where}`,
      rows,
      columns: this.#columns.map(({ name, type }) => ({ name, type })),
      originsOf: (asked) => this.#originsOf(asked, origin)
    }
  }

  /** The table and the cursor of rows, as far as the source has them. */
  async #originsOf(rows: readonly number[], { table, cursor }: SqlOrigin): Promise<Origin[]> {
    const named = table === undefined ? {} : { table }
    const column = this.#columns.find(({ name }) => name === cursor)
    if (column === undefined) return rows.map(() => named)
    const reader = await this.#context.database.runAndReadAll(
      `SELECT rowid, ${sqlName(column.name)}::VARCHAR FROM ${this.#table} WHERE rowid IN (SELECT unnest([${rows.join(', ')}]::BIGINT[]))`
    )
    const values = new Map(reader.getRows().map(([rowid, value]) => [Number(rowid), String(value)]))
    return rows.map((row) => ({ ...named, cursor: column.name, value: values.get(row) ?? '' }))
  }

  async drop(): Promise<void> {
    await this.#lines?.table.drop()
    this.#appender?.closeSync()
    await this.#context.database.run(`DROP TABLE IF EXISTS ${this.#table}`)
  }

  get #table(): string {
    return `${sqlName(this.#context.schema)}.${sqlName(this.#name)}`
  }

  async #open(): Promise<DuckDBAppender> {
    if (this.#appender !== undefined) return this.#appender
    const { database, schema } = this.#context
    const list = this.#columns.map(({ name, of }) => `${sqlName(name)} ${TYPES[of.type].held}`).join(', ')
    await database.run(`CREATE TABLE ${this.#table} (${list})`)
    this.#appender = await database.createAppender(this.#name, 'main', schema)
    return this.#appender
  }

  async #rejected(good: string): Promise<Rejected[]> {
    const odd = this.#columns.map((column) => `CASE WHEN NOT ${isGood(column)} THEN ${sqlText(column.name)} END`)
    const reader = await this.#context.database.runAndReadAll(
      `SELECT ${recordJson(this.#columns)}, concat_ws(', ', ${odd.join(', ')}) FROM ${this.#table} WHERE NOT (${good})`
    )
    return reader.getRows().map(([record, names]) => ({
      code: 'out_of_range',
      reason: `${names}: the date, the time or the whole number is none that can be represented here`,
      record: String(record)
    }))
  }
}

function readAs({ name, of, type }: HeldColumn): string {
  const column = sqlName(name)
  if (of.type === 'timestamptz') {
    const text = `CASE WHEN ends_with(${column}, 'infinity') THEN ${column} ELSE ${column} || '+00' END`
    return `TRY_CAST(${text} AS ${type})`
  }
  if (of.type === 'date') return `TRY_CAST(${dateText(column)} AS ${type})`
  return TYPES[of.type].held.toString() === type ? column : `TRY_CAST(${column} AS ${type})`
}

function isGood(column: HeldColumn): string {
  const name = sqlName(column.name)
  const value = readAs(column)
  return value === name ? 'true' : `(${name} IS NULL OR ${value} IS NOT NULL)`
}

function toDuckDb(value: SqlValue): DuckDBValue {
  return value instanceof Uint8Array ? new DuckDBBlobValue(value) : value
}

/** Bytes among texts, which only ClickHouse has, as DuckDB writes them. */
function toText(value: SqlValue): DuckDBValue {
  return value instanceof Uint8Array ? new DuckDBBlobValue(value).toString() : value
}

function sizeOf(value: SqlValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
}

/** SQL knows no difference between id and ID, and a query may have a column twice. */
function freeName(given: string, names: Set<string>): string {
  let name = given === '' ? 'unnamed' : given
  for (let n = 2; names.has(name.toLowerCase()); n++) name = `${given}_${n}`
  names.add(name.toLowerCase())
  return name
}
