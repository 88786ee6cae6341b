import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { SHUT_OFF } from '../../sql-options.ts'

/** The tables that statements of tests are about. */
const DEFINITIONS = {
  t: 'id INTEGER, a INTEGER, b INTEGER, c INTEGER, made TIMESTAMP',
  u: 'id INTEGER, k INTEGER, v INTEGER, w VARCHAR',
  s: 'id INTEGER, p STRUCT(q INTEGER, r STRUCT(m INTEGER)), l INTEGER[], j JSON',
  e: 'id INTEGER PRIMARY KEY, boss INTEGER, name VARCHAR'
}

export const KNOWN = {
  t: ['id', 'a', 'b', 'c', 'made'],
  u: ['id', 'k', 'v', 'w'],
  s: ['id', 'p', 'l', 'j'],
  e: ['id', 'boss', 'name']
}

export async function createTables(database: DuckDBConnection): Promise<void> {
  for (const [name, columns] of Object.entries(DEFINITIONS)) await database.run(`CREATE TABLE ${name} (${columns})`)
}

/** Opened as the product opens all that read SQL of users: how trees are written out depends on it. */
export async function openDatabase(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', { ...SHUT_OFF, threads: '1' })
  return instance.connect()
}

/** The tree of a statement. */
export async function treeOf(database: DuckDBConnection, sql: string): Promise<unknown> {
  const reader = await database.runAndReadAll(`SELECT json_serialize_sql('${sql.replaceAll("'", "''")}')`)
  return JSON.parse(String(reader.value(0, 0)))
}
