import type { PipelineNode } from '../contract/node-type.ts'
import type { Replay } from '../protocol/run-spec.ts'
import { castsTo } from '../records/told-columns.ts'

export interface Trial {
  readonly nodes: readonly PipelineNode[]
  /** The source that stands for the dead letter. */
  readonly sourceId: string
  /** The node whose records the one that refused it gets. */
  readonly inputId: string
  /** The nodes that make of the dead letter what goes in. */
  readonly prepared: readonly string[]
}

/**
 * A pipeline of its own for a dead letter: the node that refused it and all behind, before them a source that has the record,
 * the types that its columns had, and the correction. Whatever else those nodes read has no records.
 */
export function trialNodes(
  all: readonly PipelineNode[],
  { nodeId, inputId: told, columns = [] }: Replay,
  set: Readonly<Record<string, string>> | undefined
): Trial {
  const own = all.find(({ id }) => id === nodeId)?.inputs ?? []
  const isSource = own.length === 0
  const inputId = isSource ? nodeId : (told ?? (own[0] as string))
  const behind = nodesFrom(all, nodeId).filter(({ id }) => !isSource || id !== nodeId)
  const inside = new Set(behind.map(({ id }) => id))
  const others = new Set(behind.flatMap(({ inputs }) => inputs).filter((id) => !inside.has(id) && id !== inputId))
  const casts = castsTo(columns)
  // What a source has refused was not yet of the types that it gives.
  const steps = (isSource ? [set ?? {}, casts] : [casts, set ?? {}]).filter((select) => Object.keys(select).length > 0)
  const ids = [...steps.map((_, i) => `${inputId}:${i}`), inputId]
  const prepared = steps.map((select, i): PipelineNode => {
    return { id: ids[i + 1] as string, type: 'map', config: { select, keep: true }, inputs: [ids[i] as string] }
  })
  const sources = [ids[0] as string, ...others].map((id) => ({ id, type: 'webhook', config: {}, inputs: [] }))
  return { nodes: [...sources, ...prepared, ...behind], sourceId: ids[0] as string, inputId, prepared: ids }
}

/** A node and all that its records come to. */
function nodesFrom(all: readonly PipelineNode[], first: string): PipelineNode[] {
  const reached = new Set([first])
  for (let size = 0; size < reached.size; ) {
    size = reached.size
    for (const { id, inputs } of all) if (inputs.some((input) => reached.has(input))) reached.add(id)
  }
  return all.filter(({ id }) => reached.has(id))
}
