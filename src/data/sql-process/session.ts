import { basename, join } from 'node:path'
import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  StatementType
} from '@duckdb/node-api'
import { SHUT_OFF } from '../../engines/sql-options.ts'
import { DataError } from '../errors.ts'
import { maskedSelect } from '../mask.ts'
import { sqlName, sqlText, sqlTexts } from '../relation.ts'
import { columnsOf } from './columns-of.ts'
import { unreadable } from './failure.ts'
import type { NamedRelation, RunRequest } from './messages.ts'
import { bindParameters } from './parameters.ts'
import { checkStatement, type ParsedSql } from './statement-check.ts'
import { damageOf, isPacked } from './text-files/beginning.ts'
import { csvReading } from './text-files/csv-readings.ts'
import { jsonReading } from './text-files/json-reading.ts'
import { pathRewritten } from './text-files/rewritten.ts'

/** Opens an empty database. This is done before there is a query, because it takes longer than most queries. */
export async function openDatabase(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', SHUT_OFF)
  const connection = await instance.connect()
  // A statement that reads a file of Parquet several times need not look up each time what is in it.
  await connection.run("SET errors_as_json = true; SET TimeZone = 'UTC'; SET parquet_metadata_cache = true")
  return connection
}

/** Of a database that is locked. */
export async function startQuery(connection: DuckDBConnection, request: RunRequest): Promise<DuckDBResult> {
  const statement = await prepare(connection, request)
  return statement.stream()
}

/**
 * Runs another statement around the SQL of a request, with its parameters, once that SQL is checked; undefined where DuckDB can't
 * read it.
 */
export async function startAgain(
  connection: DuckDBConnection,
  { parameters, isOffer = false }: RunRequest,
  sql: string
): Promise<DuckDBResult | undefined> {
  const statement = await connection.prepare(sql).catch(() => undefined)
  if (statement === undefined) return undefined
  bindParameters(statement, parameters, isOffer)
  return statement.stream()
}

/** Gives the database its relations, and shuts it off from everything else for good. */
export async function lockIn(connection: DuckDBConnection, request: RunRequest): Promise<void> {
  await limit(connection, request)
  for (const relation of request.relations) {
    try {
      await connection.run(`CREATE VIEW ${sqlName(relation.alias)} AS ${await selectOf(connection, relation)}`)
    } catch (error) {
      throw unreadable(error, relation.alias, request)
    }
  }
  await lock(connection, request)
}

/** What a relation is for SQL: where something of it may not be seen, masks are all that any SQL can get. */
async function selectOf(connection: DuckDBConnection, relation: NamedRelation): Promise<string> {
  const sql = await readingOf(connection, relation)
  const { mask } = relation
  return mask === undefined ? sql : maskedSelect(sql, await columnsOf(connection, sql), mask)
}

/** The SQL that reads a relation as it turns out to be. */
async function readingOf(connection: DuckDBConnection, relation: NamedRelation): Promise<string> {
  const { sql, text } = relation
  if (text === undefined) return sql
  await requireWhole(relation)
  if (text.reader === 'read_csv') return csvReading(connection, relation, text)
  return (await jsonReading(connection, relation, text.options)) ?? sql
}

/** DuckDB takes half of a packed file for all of it. */
async function requireWhole({ files, names = [] }: NamedRelation): Promise<void> {
  for (const [at, file] of files.entries()) {
    const damage = isPacked(file) ? await damageOf(file) : undefined
    if (damage !== undefined)
      throw new DataError('data_unreadable', `${names[at] ?? basename(file)} is damaged: ${damage}.`)
  }
}

async function limit(
  connection: DuckDBConnection,
  { folder, limits, spillBytes, threads, tellsProgress = false }: RunRequest
): Promise<void> {
  await connection.run(`SET threads = ${threads}`)
  await connection.run(`SET memory_limit = '${limits.memoryBytes}B'`)
  await connection.run(`SET temp_directory = ${sqlText(join(folder, 'spill'))}`)
  await connection.run(`SET max_temp_directory_size = '${spillBytes}B'`)
  // DuckDB counts how far it is only for a progress bar, which need not be printed.
  if (tellsProgress) await connection.run('SET enable_progress_bar = true; SET enable_progress_bar_print = false')
}

/** Allows single files rather than folders, since SQL could write into a folder. */
async function lock(connection: DuckDBConnection, { relations }: RunRequest): Promise<void> {
  const files = relations.flatMap((relation) => [...relation.files, ...relation.files.map(pathRewritten)])
  await connection.run(`SET allowed_paths = ${sqlTexts(files)}`)
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
}

/** The tree of a statement that reads, or what DuckDB has against it. Nothing of it is run. */
export async function parse(connection: DuckDBConnection, sql: string): Promise<ParsedSql> {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql])
  return JSON.parse(String(reader.value(0, 0))) as ParsedSql
}

/** Checks the SQL, and then lets DuckDB prepare it. */
export async function prepare(
  connection: DuckDBConnection,
  { sql, parameters, isOffer = false, relations }: RunRequest
): Promise<DuckDBPreparedStatement> {
  checkStatement(await parse(connection, sql), sql, { names: relations.map(({ alias }) => alias), schema: 'main' })
  const statement = await connection.prepare(sql)
  if (statement.statementType !== StatementType.SELECT) throw new DataError('sql_refused', 'Only SELECT can be run.')
  bindParameters(statement, parameters, isOffer)
  return statement
}
