import type { PipelineNode, SourceType } from '../contract/node-type.ts'
import type { Column } from '../duckdb/columns.ts'
import { typesOf } from '../nodes/index.ts'
import type { Checkpoint } from '../protocol/checkpoint.ts'

/** What is left at the end of a run that completes: the next begins at the beginning, but for sources that go on. */
export function rewound(nodes: readonly PipelineNode[], checkpoint: Checkpoint | null): Checkpoint {
  const types = typesOf(nodes)
  const kept = nodes.filter((node) => {
    const type = types.get(node.id)
    return type?.role === 'source' && (type as SourceType).isIncremental?.(node.config as never)
  })
  const positions = Object.fromEntries(kept.map(({ id }) => [id, checkpoint?.positions[id]]))
  return { epoch: 0, positions, memos: {}, tables: {}, publications: [] }
}

/** For lineage: the data that sources read, or sinks wrote. */
export function referencesOf(
  nodes: readonly PipelineNode[],
  columns: Readonly<Record<string, readonly Column[]>>,
  isRead: boolean
) {
  const types = typesOf(nodes)
  return nodes.flatMap((node) => {
    const type = types.get(node.id)
    if (type === undefined || (type.role === 'source') !== isRead) return []
    const references = type.references?.(node.config as never) ?? []
    return references.map((reference) => ({
      reference,
      nodeId: node.id,
      columns: columns[isRead ? node.id : (node.inputs[0] ?? '')] ?? []
    }))
  })
}
