import { DataError } from '../errors.ts'
import { positionIn } from './sql-position.ts'

/** As `json_serialize_sql` answers it. */
export interface ParsedSql {
  readonly error: boolean
  readonly error_type?: string
  readonly error_message?: string
  readonly position?: string
  readonly statements?: readonly unknown[]
}

/**
 * The functions that may stand after FROM. The others read files, show settings and paths, or change how DuckDB works,
 * which a SELECT can do: `enable_logging` writes files.
 */
const TABLE_FUNCTIONS = new Set([
  'generate_series',
  'histogram',
  'histogram_values',
  'icu_calendar_names',
  'json_each',
  'json_tree',
  'pg_timezone_names',
  'range',
  'repeat',
  'repeat_row',
  'summary',
  'test_all_types',
  'unnest'
])

/** They tell of settings and paths, or write where others read. */
const REFUSED_FUNCTIONS = new Set(['current_setting', 'pg_get_viewdef', 'write_log'])

/** What DuckDB's own views begin with, which tell of paths too; a name of the user's could hide one of them. */
const OWN_VIEWS = /^(?:duckdb|pg|pragma|sqlite)_/i

type Node = Readonly<Record<string, unknown>>

/**
 * Lets nothing through but one statement that reads relations by the names they were given. DuckDB itself is told to open
 * no other files; this is in front of it, so that neither has to be perfect.
 */
export function checkStatement(parsed: ParsedSql, sql: string, aliases: readonly string[]): void {
  if (parsed.error) throw refusalOf(parsed, sql)
  if (parsed.statements?.length !== 1) throw new DataError('sql_refused', 'The SQL must be exactly one statement.')
  const nodes = nodesOf(parsed.statements)
  const common = new Set(nodes.flatMap(commonNames))
  for (const name of common) {
    if (OWN_VIEWS.test(name)) throw new DataError('sql_refused', `No part of the query can be named ${name}.`)
  }
  const relations = new Set(aliases.map((alias) => alias.toLowerCase()))
  for (const node of nodes) checkNode(node, { sql, relations, common })
}

function refusalOf({ error_type, error_message, position }: ParsedSql, sql: string): DataError {
  if (error_type === 'parser') {
    const at = positionIn(sql, Number(position ?? Number.NaN), 'characters')
    return new DataError(
      'sql_error',
      error_message ?? 'The SQL can not be read.',
      at === undefined ? {} : { position: at }
    )
  }
  return new DataError(
    'sql_refused',
    'Only SELECT, WITH, FROM, VALUES, DESCRIBE and SUMMARIZE can be run, and PIVOT where its values are listed with IN.'
  )
}

/** Every object in the tree; without recursion, which the SQL could make as deep as it likes. */
function nodesOf(root: unknown): Node[] {
  const nodes: Node[] = []
  const left: unknown[] = [root]
  while (left.length > 0) {
    const item = left.pop()
    if (typeof item !== 'object' || item === null) continue
    if (!Array.isArray(item)) nodes.push(item as Node)
    for (const child of Object.values(item)) left.push(child)
  }
  return nodes
}

/** The names after WITH. */
function commonNames({ cte_map }: Node): string[] {
  const entries = (cte_map as { map?: readonly { key: string }[] } | undefined)?.map ?? []
  return entries.map(({ key }) => key.toLowerCase())
}

interface Names {
  readonly sql: string
  readonly relations: ReadonlySet<string>
  readonly common: ReadonlySet<string>
}

function checkNode(node: Node, names: Names): void {
  const refuse = (code: 'sql_error' | 'sql_refused', message: string) => {
    const position = positionIn(names.sql, Number(node.query_location), 'bytes')
    throw new DataError(code, message, position === undefined ? {} : { position })
  }
  if (node.type === 'TABLE_FUNCTION') {
    const name = String((node.function as Node).function_name).toLowerCase()
    if (!TABLE_FUNCTIONS.has(name)) refuse('sql_refused', `The function ${name} can't be used after FROM.`)
  } else if (node.type === 'BASE_TABLE') {
    if (!isKnown(node, names)) refuse('sql_error', `There is no relation ${String(node.table_name)}.`)
  } else if (node.type === 'SHOW_REF') {
    if (node.query === null) refuse('sql_refused', 'SHOW can not be run; DESCRIBE can.')
  } else if (node.type === 'FUNCTION' && REFUSED_FUNCTIONS.has(String(node.function_name).toLowerCase())) {
    refuse('sql_refused', `The function ${String(node.function_name)} can't be used.`)
  }
}

function isKnown({ table_name, schema_name, catalog_name }: Node, { relations, common }: Names): boolean {
  const name = String(table_name).toLowerCase()
  if (catalog_name !== '') return false
  if (schema_name === '') return relations.has(name) || common.has(name)
  return (schema_name === 'main' && relations.has(name)) || (schema_name === 'recurring' && common.has(name))
}
