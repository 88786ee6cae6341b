import { batches } from '../batches.ts'
import { SqlError } from '../errors.ts'
import type { SqlWrite } from '../index.ts'
import { parseTableName, type TableName } from '../names.ts'
import { notAboutRows } from '../sessions.ts'
import { encodeRows } from './encode.ts'
import { quoteName, quoteTable, quoteText } from './quote.ts'
import type { ClickhouseServer } from './server.ts'
import { type Described, describe } from './source.ts'
import { declared } from './types.ts'

const BATCH_ROWS = 100_000
const BATCH_BYTES = 16 << 20

export async function writeClickhouse(server: ClickhouseServer, request: SqlWrite): Promise<number> {
  const table = parseTableName(request.table)
  const { columns, keys, signal } = request
  if (request.create) await createTable(server, table, request)
  if (keys !== undefined) await checkEngine(server, table)
  const targets = await targetsOf(server, table, request)
  const names = columns.map(({ name }) => quoteName(name)).join(', ')
  for (const [from, to] of batches(request, BATCH_ROWS, BATCH_BYTES)) {
    signal?.throwIfAborted()
    const { format, body } = encodeRows(targets, request.values, from, to)
    await server.insert(`INSERT INTO ${quoteTable(table)} (${names}) FORMAT ${format}`, body, signal)
  }
  return request.rows
}

async function targetsOf(server: ClickhouseServer, table: TableName, request: SqlWrite): Promise<Described[]> {
  const described = await describe(server, `SELECT * FROM ${quoteTable(table)}`)
  const known = new Map(described.map((column) => [column.name, column]))
  return request.columns.map(({ name }) => {
    const target = known.get(name)
    if (target === undefined) throw new SqlError('no_such_column', `The table has no column ${JSON.stringify(name)}`)
    return target
  })
}

/** Refuses a table that replaces no rows: it would fill up with copies. */
async function checkEngine(server: ClickhouseServer, table: TableName): Promise<void> {
  const [name, schema] = [...table].reverse() as [string, string?]
  const database = schema === undefined ? 'currentDatabase()' : quoteText(schema)
  const found = await server.ask(
    `SELECT engine FROM system.tables WHERE database = ${database} AND name = ${quoteText(name)} FORMAT TabSeparated`
  )
  const engine = found.trim()
  if (engine.endsWith('MergeTree') && !engine.includes('Replacing')) {
    throw new SqlError(
      'invalid_query',
      `Rows are replaced by key only in a ReplacingMergeTree; the table is a ${engine}`
    )
  }
}

async function createTable(
  server: ClickhouseServer,
  table: TableName,
  { columns, keys = [] }: SqlWrite
): Promise<void> {
  const { types } = await server.facts()
  const definitions = columns.map(({ name, type, nullable }) => {
    const isNullable = nullable !== false && !keys.includes(name)
    return `${quoteName(name)} ${declared(type, isNullable, types)}`
  })
  const order = keys.length === 0 ? 'tuple()' : `(${keys.map(quoteName).join(', ')})`
  const engine = keys.length === 0 ? 'MergeTree()' : 'ReplacingMergeTree()'
  const kept = `ENGINE = ${engine} ORDER BY ${order}`
  const sql = `CREATE TABLE IF NOT EXISTS ${quoteTable(table)} (${definitions.join(', ')}) ${kept}`
  await server.ask(sql).catch((error) => {
    throw notAboutRows(error)
  })
}
