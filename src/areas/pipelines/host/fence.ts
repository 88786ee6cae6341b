import type { DuckDBConnection } from '@duckdb/node-api'
import { DataError } from '../../../data/errors.ts'
import { checkStatement, type ParsedSql } from '../../../data/sql-process/statement-check.ts'
import { isBranch } from '../../../data/sql-process/tried-branches.ts'
import { NodeFault } from '../contract/context.ts'
import { at } from '../contract/faults.ts'
import type { NodeType, PipelineNode } from '../contract/node-type.ts'
import { parseAll, type SqlPart, selectOf, type Tree, treesIn } from '../duckdb/parse-sql.ts'
import { tablesOf } from '../nodes/transforms/sql.ts'

/** Why SQL in the configuration of a node is not run, whatever it does; undefined where it may be. */
export function refusalOf(part: SqlPart, parsed: ParsedSql, inputs: readonly string[], branches: ReadonlySet<string>) {
  const { form } = part
  try {
    checkStatement(parsed, selectOf(part), { names: form === 'statement' ? tablesOf(inputs) : [], branches })
  } catch (error) {
    if (error instanceof DataError) return error
    throw error
  }
  if (form === 'statement' || isOneExpression(parsed)) return undefined
  return new DataError('sql_refused', 'must be one SQL expression')
}

/**
 * The columns that nodes make with coalesce or CASE, by name: nodes one after the other are one statement when they run, in which
 * a filter may be computed with what its columns are made of.
 */
export function branchesOf(parts: readonly SqlPart[], parsed: ReadonlyMap<string, ParsedSql>): ReadonlySet<string> {
  const names = new Set<string>()
  for (const part of parts) {
    const column = part.pointer
      .slice(part.pointer.lastIndexOf('/') + 1)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~')
    for (const tree of treesIn(parsed.get(selectOf(part)) as ParsedSql)) {
      if (tree.type !== 'SELECT_NODE') continue
      for (const item of tree.select_list as readonly Tree[])
        if (isBranch(item)) names.add(String(item.alias) || column)
    }
  }
  return names
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
  const all = parts.flatMap(([, some]) => some)
  const parsed = await parseAll(database, all.map(selectOf))
  const branches = branchesOf(all, parsed)
  for (const [node, some] of parts) {
    for (const part of some) {
      const refusal = refusalOf(part, parsed.get(selectOf(part)) as ParsedSql, node.inputs, branches)
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
