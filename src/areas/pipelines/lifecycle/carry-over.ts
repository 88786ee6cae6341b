import { isDeepStrictEqual } from 'node:util'
import type { PipelineNode } from '../contract/node-type.ts'
import { roleOf } from '../nodes/index.ts'
import type { Checkpoint } from '../protocol/checkpoint.ts'

/**
 * A checkpoint for the nodes of a later version: those that are still what they were go on where they were, the others begin
 * anew. Files that are to become objects become them, whatever became of their node. A sink keeps the records that wait in
 * it while it stays of its type: they are counted as written.
 */
export function carryOver(
  checkpoint: Checkpoint,
  oldNodes: readonly PipelineNode[],
  newNodes: readonly PipelineNode[]
): Checkpoint {
  const old = new Map(oldNodes.map((node) => [node.id, node]))
  const kept = new Set<string>()
  const holding = new Set<string>()
  for (const node of newNodes) {
    const before = old.get(node.id)
    if (before === undefined || before.type !== node.type) continue
    const role = roleOf(node, newNodes)
    if (role !== roleOf(before, oldNodes)) continue
    if (role === 'sink') holding.add(node.id)
    if (isSame(before, node)) kept.add(node.id)
  }
  return {
    ...checkpoint,
    positions: only(checkpoint.positions, kept),
    memos: only(checkpoint.memos, new Set([...kept, ...holding])),
    tables: only(checkpoint.tables, new Set([...kept, ...holding]))
  }
}

/** What a transform remembers is of its inputs in their order. */
function isSame(before: PipelineNode, after: PipelineNode): boolean {
  return isDeepStrictEqual(before.config, after.config) && isDeepStrictEqual(before.inputs, after.inputs)
}

function only<T>(byNode: Readonly<Record<string, T>>, ids: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(byNode).filter(([id]) => ids.has(id)))
}
