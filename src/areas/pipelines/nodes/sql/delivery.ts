import { DuckDBBlobValue, type DuckDBValue } from '@duckdb/node-api'
import { sqlName } from '../../../../data/relation.ts'
import { type Applied, openSql, type SqlColumn, type SqlType, type SqlValue } from '../../../../engines/sql/index.ts'
import type { Sink, SinkContext } from '../../contract/sink.ts'
import type { Column } from '../../duckdb/columns.ts'
import { DeliverySink } from '../outside/delivery.ts'
import { connected } from '../outside/faults.ts'
import { settingsFor } from './connector.ts'
import { areChanges, Mirror } from './mirror.ts'
import type { SqlSinkConfig } from './sink.ts'

const MAX_PART_ROWS = 100_000
const MAX_PART_BYTES = 32 * 1024 * 1024

type Row = readonly SqlValue[]

/** A part is one write, which a database that has transactions takes as a whole. */
export async function openSqlDelivery(context: SinkContext<SqlSinkConfig>): Promise<Sink> {
  const { table, keys, create = false, truncate = false } = context.config
  const settings = settingsFor(context.config)
  const outbound = await context.outbound()
  const database = await connected(() => openSql(settings, { outbound }))
  const apply = database.apply?.bind(database)
  let isMade = !create
  let columns: readonly SqlColumn[] = []
  let mirror: Mirror | undefined
  const noteAbsent = absentNotes(context)
  return new DeliverySink<Row>(context, {
    maxRows: MAX_PART_ROWS,
    maxBytes: MAX_PART_BYTES,
    select(flow) {
      columns = flow.columns.map(({ name, type }) => ({ name, type: typeOf(type) }))
      mirror = keys && apply && areChanges(columns) ? new Mirror(columns, { keys, truncate }) : undefined
      const list = flow.columns.map((column, i) => `${readAs(column)} AS c${i}`).join(', ')
      const isPlaced = columns.some(({ name }) => name === '_position')
      return `SELECT ${list} FROM (${flow.sql})${mirror && isPlaced ? ' ORDER BY "_position"' : ''}`
    },
    itemOf: (row) => row.map(fromDuckDb),
    bytesOf: (row) => row.reduce<number>((sum, value) => sum + sizeOf(value), 0),
    async send(rows, { signal }) {
      const request = { table, create: !isMade, signal }
      if (mirror && keys && apply) {
        const { columns, changeOf } = mirror
        const changes = rows.map(changeOf)
        noteAbsent(await connected(() => apply({ ...request, columns, keys, changes })))
      } else {
        const values = columns.map((_, i) => rows.map((row) => row[i] as SqlValue))
        const write = { ...request, columns, values, rows: rows.length, ...(keys && { keys }) }
        await connected(() => database.write(write))
      }
      isMade = true
    },
    recordOf: (row) => JSON.stringify(Object.fromEntries(columns.map(({ name }, i) => [name, shown(row[i])]))),
    close: () => database.close()
  })
}

/** Tells once of a run that rows could not be kept, because the table did not have them before. */
function absentNotes({ log, config }: SinkContext<SqlSinkConfig>): (applied: Applied) => void {
  let hasTold = false
  return ({ absent }) => {
    if (absent === 0 || hasTold) return
    hasTold = true
    const what = `${absent} rows that changed are not in ${config.table}, and the database did not send them whole (_unchanged)`
    log('warn', `${what}, so they were left out; that is right where they were deleted since`)
  }
}

const SQL_TYPES: Readonly<Record<string, SqlType>> = {
  BOOLEAN: 'boolean',
  TINYINT: 'integer',
  SMALLINT: 'integer',
  INTEGER: 'integer',
  UTINYINT: 'integer',
  USMALLINT: 'integer',
  UINTEGER: 'bigint',
  BIGINT: 'bigint',
  UBIGINT: 'decimal',
  HUGEINT: 'decimal',
  UHUGEINT: 'decimal',
  FLOAT: 'double',
  DOUBLE: 'double',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
  TIMESTAMP_S: 'timestamp',
  TIMESTAMP_MS: 'timestamp',
  TIMESTAMP_NS: 'timestamp',
  'TIMESTAMP WITH TIME ZONE': 'timestamptz',
  JSON: 'json',
  BLOB: 'blob'
}

function typeOf(type: string): SqlType {
  if (/\]$|^(?:STRUCT|MAP|UNION)\(/.test(type)) return 'json'
  return type.startsWith('DECIMAL(') ? 'decimal' : (SQL_TYPES[type] ?? 'text')
}

/** As values that leave DuckDB without losing anything. */
function readAs({ name, type }: Column): string {
  const column = sqlName(name)
  switch (typeOf(type)) {
    case 'boolean':
    case 'blob':
      return column
    case 'integer':
      return `${column}::INTEGER`
    case 'bigint':
      return `${column}::BIGINT`
    case 'double':
      return `${column}::DOUBLE`
    case 'timestamptz':
      return `(${column} AT TIME ZONE 'UTC')::VARCHAR`
    case 'json':
      return `to_json(${column})::VARCHAR`
    default:
      return `${column}::VARCHAR`
  }
}

function fromDuckDb(value: DuckDBValue): SqlValue {
  return value instanceof DuckDBBlobValue ? value.bytes : (value as SqlValue)
}

function sizeOf(value: SqlValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
}

function shown(value: SqlValue | undefined): unknown {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}
