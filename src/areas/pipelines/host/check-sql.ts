import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { DataError } from '../../../data/errors.ts'
import { checkStatement, type ParsedSql } from '../../../data/sql-process/statement-check.ts'
import { typesOf } from '../nodes/index.ts'
import type { PipelineNode, SqlPart } from '../nodes/node-type.ts'
import type { NodeProblem } from '../protocol.ts'
import { parseSql, selectOf } from './parse-sql.ts'

/** What makes many records of one, or one of many, where each record is to be looked at by itself. */
const EXPANDING = new Set(['unnest', 'generate_subscripts', 'regexp_split_to_table'])

/** What is wrong with the SQL in the configuration of nodes. It is parsed, not run. */
export async function checkSql(instance: DuckDBInstance, nodes: readonly PipelineNode[]): Promise<NodeProblem[]> {
  const connection = await instance.connect()
  try {
    const aggregates = await aggregateNames(connection)
    const problems: NodeProblem[] = []
    const types = typesOf(nodes)
    for (const node of nodes) {
      for (const part of types.get(node.id)?.sql?.(node.config as never) ?? []) {
        const message = await problemOf(connection, part, node.inputs, aggregates)
        if (message !== undefined) problems.push({ nodeId: node.id, pointer: part.pointer, message })
      }
    }
    return problems
  } finally {
    connection.closeSync()
  }
}

async function problemOf(
  connection: DuckDBConnection,
  part: SqlPart,
  inputs: readonly string[],
  aggregates: ReadonlySet<string>
): Promise<string | undefined> {
  const { form } = part
  const statement = selectOf(part)
  const parsed = await parseSql(connection, statement)
  try {
    // The names a statement may use; an expression has columns only.
    checkStatement(parsed, statement, form === 'statement' ? [...inputs, 'input'] : [])
  } catch (error) {
    if (error instanceof DataError) return error.message
    throw error
  }
  if (form === 'statement') return undefined
  if (!isOneExpression(parsed)) return 'must be one SQL expression'
  return form === 'row' ? perRecordFault(parsed, aggregates) : undefined
}

type Tree = Readonly<Record<string, unknown>>

/** Text that closes the parenthesis round it and goes on would be more than that. */
function isOneExpression(parsed: ParsedSql): boolean {
  const [statement] = (parsed.statements ?? []) as readonly { node: Tree }[]
  const node = statement?.node
  return (
    node?.type === 'SELECT_NODE' &&
    (node.select_list as unknown[]).length === 1 &&
    (node.modifiers as unknown[]).length === 0 &&
    (node.from_table as Tree).type === 'EMPTY' &&
    (node.group_expressions as unknown[]).length === 0 &&
    ['where_clause', 'having', 'qualify', 'sample'].every((part) => node[part] === null) &&
    ((node.select_list as Tree[])[0] as Tree).class !== 'STAR'
  )
}

function perRecordFault(parsed: ParsedSql, aggregates: ReadonlySet<string>): string | undefined {
  const left: unknown[] = [parsed.statements]
  while (left.length > 0) {
    const item = left.pop()
    if (typeof item !== 'object' || item === null) continue
    const { class: kind, function_name: name, type } = item as Tree
    const called = String(name ?? '').toLowerCase()
    if (kind === 'WINDOW') return 'looks at several records; use a sql node for window functions'
    if (kind === 'SUBQUERY' || type === 'SUBQUERY') return 'must not hold a SELECT; use a sql node'
    if (kind === 'FUNCTION' && aggregates.has(called)) {
      return `${called} is a function of several records; use an aggregate node`
    }
    if (kind === 'FUNCTION' && EXPANDING.has(called)) return `${called} makes several records of one; use a sql node`
    left.push(...Object.values(item))
  }
  return undefined
}

async function aggregateNames(connection: DuckDBConnection): Promise<ReadonlySet<string>> {
  // A name that also is one of an ordinary function, such as list_sum, is left to DuckDB.
  const reader = await connection.runAndReadAll(
    `SELECT function_name FROM duckdb_functions() GROUP BY function_name HAVING bool_and(function_type = 'aggregate')`
  )
  return new Set(reader.getRows().map(([name]) => String(name)))
}
