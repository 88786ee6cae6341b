import type { PipelineNode } from '../contract/node-type.ts'
import { typesOf } from '../nodes/index.ts'

/** The data references that a pipeline reads and writes. */
export function lineageOf(nodes: readonly PipelineNode[]): { inputs: string[]; outputs: string[] } {
  const inputs = new Set<string>()
  const outputs = new Set<string>()
  const types = typesOf(nodes)
  for (const node of nodes) {
    const type = types.get(node.id)
    const into = type?.role === 'sink' ? outputs : inputs
    for (const reference of type?.references?.(node.config as never) ?? []) into.add(reference)
  }
  return { inputs: [...inputs], outputs: [...outputs] }
}
