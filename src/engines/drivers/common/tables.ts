import { parseTableName, SqlError } from '../../sql/index.ts'
import { nameOf } from '../../sql/tables.ts'
import { SourceError } from '../errors.ts'
import type { ColumnType, Discovered, Stream, StreamColumn, StreamRead } from '../index.ts'
import type { Dialect, TableOf } from './dialect.ts'
import type { Page, System } from './system.ts'

/** What carries statements to a database and rows back. Errors are `SourceError`s, or the reason of the signal. */
export interface Speaker {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  enter(signal: AbortSignal): Promise<string>
  /** The rows of a statement, some at a time; ending the iteration ends the statement. */
  rows(statement: string, signal: AbortSignal): AsyncIterable<readonly (readonly unknown[])[]>
  grants(): string[]
  close(): Promise<void>
}

interface Listed extends TableOf {
  readonly isView: boolean
  readonly column: string
  readonly type: string
  readonly nullable: boolean
  readonly keyAt: number
  readonly isReadable: boolean
}

/** Types whose values only grow in most tables: numbers that are given one after the other, and times. */
const CURSOR_TYPES: ReadonlySet<ColumnType> = new Set([
  'integer',
  'bigint',
  'decimal',
  'date',
  'timestamp',
  'timestamptz'
])
/** What there is at the most, whatever the tables. */
const MAX_COLUMNS = 500_000

/** What positions look like: whatever else was given would be a part of a statement. */
const POSITIONS: Partial<Record<ColumnType, RegExp>> = {
  integer: /^[+-]?\d{1,50}$/,
  bigint: /^[+-]?\d{1,50}$/,
  decimal: /^[+-]?\d{1,100}(\.\d{0,100})?$/,
  double: /^[+-]?\d+(\.\d*)?([eE][+-]?\d{1,4})?$/,
  date: /^\d{4,6}-\d\d-\d\d$/,
  timestamp: /^\d{4,6}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,12})?)?)?$/,
  timestamptz: /^\d{4,6}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,12})?)?(Z|[+]00(:?00)?)?)?$/
}

/** A database with tables that is spoken to in a dialect of SQL. */
export class TableSystem implements System {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly #speaker: Speaker
  readonly #dialect: Dialect

  constructor(speaker: Speaker, dialect: Dialect) {
    this.host = speaker.host
    this.port = speaker.port
    this.tls = speaker.tls
    this.#speaker = speaker
    this.#dialect = dialect
  }

  enter(signal: AbortSignal): Promise<string> {
    return this.#speaker.enter(signal)
  }

  async list({ limit, signal }: { limit: number; signal: AbortSignal }): Promise<Discovered> {
    const tables = new Map<string, Listed[]>()
    let seen = 0
    for await (const column of this.#columns(undefined, signal)) {
      const name = nameOf(column.schema, column.table)
      const known = tables.get(name)
      seen += 1
      if (known !== undefined) known.push(column)
      else if (tables.size < limit && seen < MAX_COLUMNS) tables.set(name, [column])
      else return { streams: this.#streams(tables), isWhole: false }
    }
    return { streams: this.#streams(tables), isWhole: true }
  }

  async *pages({ stream, cursor, limit, signal }: StreamRead): AsyncGenerator<Page> {
    const of = tableOf(stream)
    const listed = await Array.fromAsync(this.#columns(of, signal))
    if (listed.length === 0) throw new SourceError('not_found', `There is no table ${JSON.stringify(stream)}`)
    const { quote, form, select } = this.#dialect
    const forms = listed.map(({ type }) => form(type))
    const names = listed.map(({ column }) => `t.${quote(column)}`)
    const selected = names.map((name, at) => `${forms[at]?.select?.(name) ?? name} AS ${quote(`c${at}`)}`)
    const statement = select({
      columns: selected.join(', '),
      from: `${quote(of.schema)}.${quote(of.table)}`,
      limit,
      ...this.#following(listed, cursor)
    })
    const columns = listed.map(({ column }, at) => ({ name: column, type: forms[at]?.type ?? 'text' }))
    for await (const raw of this.#speaker.rows(statement, signal)) {
      yield {
        columns,
        rows: raw.map((row) => row.map((value, at) => (value === null ? null : (forms[at]?.decode(value) ?? null))))
      }
    }
  }

  grants(): string[] {
    return this.#speaker.grants()
  }

  close(): Promise<void> {
    return this.#speaker.close()
  }

  #following(
    listed: readonly Listed[],
    cursor: StreamRead['cursor']
  ): { where: string | undefined; order: string | undefined } {
    if (cursor === undefined) return { where: undefined, order: undefined }
    const column = listed.find((one) => one.column === cursor.column)
    if (column === undefined) throw new SourceError('not_found', `There is no column ${JSON.stringify(cursor.column)}`)
    const name = `t.${this.#dialect.quote(column.column)}`
    if (cursor.after === null) return { where: `${name} IS NOT NULL`, order: name }
    const { type, literal } = this.#dialect.form(column.type)
    if (POSITIONS[type]?.test(cursor.after) === false || cursor.after.includes('\0')) {
      throw new SourceError('bad_request', `The position is none of a column of the type ${type}`)
    }
    return { where: `${name} > ${literal(cursor.after)}`, order: name }
  }

  #streams(tables: ReadonlyMap<string, readonly Listed[]>): Stream[] {
    return [...tables]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, listed]) => {
        const columns: StreamColumn[] = listed.map(({ column, type, nullable }) => ({
          name: column,
          type: this.#dialect.form(type).type,
          nullable
        }))
        const keys = listed.filter(({ keyAt }) => keyAt > 0).toSorted((a, b) => a.keyAt - b.keyAt)
        return {
          name,
          kind: listed[0]?.isView ? 'view' : 'table',
          isReadable: listed[0]?.isReadable ?? false,
          columns,
          keys: keys.map(({ column }) => column),
          cursors: columns.filter(({ type }) => this.#isCursor(type)).map((column) => column.name)
        }
      })
  }

  #isCursor(type: ColumnType): boolean {
    return CURSOR_TYPES.has(type) || (type === 'text' && this.#dialect.sortsTexts === true)
  }

  async *#columns(of: TableOf | undefined, signal: AbortSignal): AsyncGenerator<Listed> {
    for await (const rows of this.#speaker.rows(this.#dialect.columns(of), signal)) yield* rows.map(listedOf)
  }
}

function listedOf([schema, table, isView, column, type, nullable, keyAt, isReadable]: readonly unknown[]): Listed {
  return {
    schema: String(schema),
    table: String(table),
    isView: Number(isView) === 1,
    column: String(column),
    type: String(type),
    nullable: Number(nullable) === 1,
    keyAt: Number(keyAt),
    isReadable: Number(isReadable) === 1
  }
}

function tableOf(stream: string): TableOf {
  try {
    const [schema, table] = parseTableName(stream)
    if (table !== undefined) return { schema, table }
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
  }
  throw new SourceError('not_found', `There is no table ${JSON.stringify(stream)}: give schema and table`)
}
