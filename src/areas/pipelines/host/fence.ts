import type { DuckDBConnection } from '@duckdb/node-api'
import { DataError } from '../../../data/errors.ts'
import { checkStatement, type ParsedSql } from '../../../data/sql-process/statement-check.ts'
import { NodeFault } from '../contract/context.ts'
import { at } from '../contract/faults.ts'
import type { NodeType, PipelineNode } from '../contract/node-type.ts'
import { parseAll, type SqlPart, selectOf, type Tree } from '../duckdb/parse-sql.ts'
import { tablesOf } from '../nodes/transforms/sql.ts'

/** Why SQL in the configuration of a node is not run, whatever it does; undefined where it may be. */
export function refusalOf({ form, ...part }: SqlPart, parsed: ParsedSql, inputs: readonly string[]) {
  try {
    checkStatement(parsed, selectOf({ form, ...part }), { names: form === 'statement' ? tablesOf(inputs) : [] })
  } catch (error) {
    if (error instanceof DataError) return error
    throw error
  }
  if (form === 'statement' || isOneExpression(parsed)) return undefined
  return new DataError('sql_refused', 'must be one SQL expression')
}

/**
 * Definitions are checked when they are taken; some were taken by a version that let more through. Answers the trees of
 * all SQL, by its text as `selectOf` has it.
 */
export async function requireAllowed(
  database: DuckDBConnection,
  nodes: readonly PipelineNode[],
  types: ReadonlyMap<string, NodeType>
): Promise<ReadonlyMap<string, ParsedSql>> {
  const parts = nodes.map((node) => [node, types.get(node.id)?.sql?.(node.config as never) ?? []] as const)
  const parsed = await parseAll(database, parts.flatMap(([, some]) => some).map(selectOf))
  for (const [node, some] of parts) {
    for (const part of some) {
      const refusal = refusalOf(part, parsed.get(selectOf(part)) as ParsedSql, node.inputs)
      if (refusal === undefined) continue
      throw at(node, new NodeFault('fatal', 'sql_refused', `${part.pointer.slice(1)}: ${refusal.message}`))
    }
  }
  return parsed
}

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
    ['where_clause', 'having', 'qualify', 'sample'].every((part) => node[part] === null)
  )
}
