import type { PipelineNode, SourceType } from '../contract/node-type.ts'
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
