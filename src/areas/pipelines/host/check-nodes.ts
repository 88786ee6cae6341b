import type { DuckDBInstance } from '@duckdb/node-api'
import type { PipelineNode } from '../contract/node-type.ts'
import { meantType } from '../nodes/index.ts'
import type { KnownColumns } from '../protocol/known-columns.ts'
import type { NodeProblem } from '../protocol/protocol.ts'
import { checkSql } from './check-sql.ts'

/** What is wrong with nodes, as far as one has to parse, bind or compile for it; nothing of theirs is run. */
export async function checkNodes(
  instance: DuckDBInstance,
  nodes: readonly PipelineNode[],
  known?: KnownColumns
): Promise<NodeProblem[]> {
  const own = nodes.flatMap((node): NodeProblem[] => {
    const faults = meantType(node, nodes)?.checkAway?.(node.config as never) ?? []
    return faults.map((fault) => ({ nodeId: node.id, ...fault }))
  })
  return [...own, ...(await checkSql(instance, nodes, known))]
}
