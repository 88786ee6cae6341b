import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { sqlText, sqlTexts } from '../../../data/relation.ts'
import { GIVES_MEMORY_BACK } from '../../../engines/duckdb-memory.ts'
import { SHUT_OFF } from '../../../engines/sql-options.ts'

export interface DatabaseSettings {
  /** The only folder whose files its SQL can read and write. */
  readonly folder: string
  readonly memoryBytes: number
  readonly threads: number
  readonly spillBytes: number
}

/**
 * The database of a host: all its pipelines share its memory, and so its limit. It opens no file outside its folder, whatever
 * SQL says; that the SQL of users opens none at all is checked where it is parsed.
 */
export async function openDatabase(settings: DatabaseSettings): Promise<DuckDBInstance> {
  const spill = join(settings.folder, 'spill')
  await mkdir(spill, { recursive: true })
  // Not before: the server knows the nodes, and never runs them.
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:', {
    ...SHUT_OFF,
    ...GIVES_MEMORY_BACK,
    threads: String(settings.threads),
    memory_limit: `${settings.memoryBytes}B`
  })
  const connection = await instance.connect()
  await connection.run(`SET temp_directory = ${sqlText(spill)}`)
  await connection.run(`SET max_temp_directory_size = '${settings.spillBytes}B'`)
  await connection.run("SET TimeZone = 'UTC'")
  await connection.run(`SET allowed_directories = ${sqlTexts([settings.folder])}`)
  await connection.run('SET enable_external_access = false')
  // The memory is shared out anew as hosts come and go, and statements say how far they are; nothing else changes any more.
  await connection.run("SET allowed_configs = ['memory_limit', 'enable_progress_bar', 'enable_progress_bar_print']")
  await connection.run('SET lock_configuration = true')
  connection.closeSync()
  return instance
}

/** Gives the database more or less memory. Refused where it can't do with so little right now. */
export async function resizeDatabase(instance: DuckDBInstance, memoryBytes: number): Promise<void> {
  const connection = await instance.connect()
  try {
    await connection.run(`SET memory_limit = '${memoryBytes}B'`)
  } finally {
    connection.closeSync()
  }
}

/** The count that a statement which makes or fills a table answers. */
export async function runCounted(connection: DuckDBConnection, sql: string): Promise<number> {
  const reader = await connection.runAndReadAll(sql)
  return reader.currentRowCount === 0 ? 0 : Number(reader.value(0, 0))
}

/** The first row of an answer. */
export async function firstRow(
  connection: DuckDBConnection,
  sql: string
): Promise<Record<string, unknown> | undefined> {
  const reader = await connection.runAndReadAll(sql)
  return reader.getRowObjects()[0]
}
