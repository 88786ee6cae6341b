import type { PanelQuery } from '../../model/schema.ts'
import type { DataTarget } from '../data-sources.ts'
import type { Dialect } from './tokens.ts'
import { MAX_SQL_CHARS, TOO_LONG, translateSql } from './translate.ts'
import type { SqlVariables } from './values.ts'

export interface SqlQuery {
  readonly query: { sql: string } & Pick<PanelQuery, 'reference' | 'references'>
  /** The tables that its SQL names. */
  readonly tables: readonly string[]
  readonly notes: readonly string[]
}

const MAX_TABLES = 10
/** What SQL can call a relation here. */
const TABLE_NAME = /^(?!(?:duckdb|pg|pragma|sqlite)_)[\p{L}_][\p{L}\p{N}_]{0,62}$/iu

const DATABASES: Readonly<Record<Dialect, string>> = {
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  mssql: 'SQL Server'
}

/** A query of ours for SQL of Grafana; a sentence where there is none. */
export function sqlQuery(
  written: string,
  dialect: Dialect,
  target: DataTarget,
  variables: SqlVariables
): SqlQuery | { problem: string } {
  if ('sourceId' in target) return { problem: 'its data source was given as a source of points, which SQL can’t read' }
  if (written.length > MAX_SQL_CHARS) return { problem: TOO_LONG }
  const translated = translateSql(written, dialect, variables)
  if ('problem' in translated) return translated
  const { sql, tables, notes } = translated
  if (sql.length > MAX_SQL_CHARS) return { problem: TOO_LONG }
  const read = readFrom(tables, target)
  if ('problem' in read) return read
  const spoken =
    dialect === 'postgres' ? [] : [`Its SQL was written for ${DATABASES[dialect]}: try whether it runs here.`]
  return { query: { ...read, sql }, tables, notes: [...notes, ...spoken] }
}

function readFrom(
  tables: readonly string[],
  target: Exclude<DataTarget, { sourceId: string }>
): { reference: string } | { references: Record<string, string> } | { problem: string } {
  const wrong = tables.find((table) => !TABLE_NAME.test(table))
  if (wrong !== undefined) return { problem: `no data can be called ${wrong} in SQL here` }
  if (tables.length > MAX_TABLES) return { problem: `it reads more than ${MAX_TABLES} tables` }
  if ('references' in target) return named(tables, target.references)
  const [table, ...more] = tables
  if (more.length > 0) {
    return { problem: `it reads several tables (${tables.join(', ')}), and its data source was given as one reference` }
  }
  if (table === undefined || table.toLowerCase() === 'input') return { reference: target.reference }
  return { references: { [table]: target.reference } }
}

function named(
  tables: readonly string[],
  references: Readonly<Record<string, string>>
): { references: Record<string, string> } | { problem: string } {
  const known = new Map(Object.entries(references).map(([name, text]) => [name.toLowerCase(), text]))
  const missing = tables.filter((table) => !known.has(table.toLowerCase()))
  if (missing.length > 0) return { problem: `no reference was given for the table ${missing.join(', ')}` }
  if (tables.length === 0) return { problem: 'it reads no table' }
  return { references: Object.fromEntries(tables.map((table) => [table, known.get(table.toLowerCase()) as string])) }
}
