import type { FieldError } from '../../../errors.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { meantType } from '../nodes/index.ts'
import { understoodNodes } from './validate-config.ts'
import { labelOf } from './validate-graph.ts'

/** Nodes that wait for the end of their inputs, behind a source that has none. */
export function endFaults(nodes: readonly PipelineNode[]): FieldError[] {
  const understood = understoodNodes(nodes)
  return understood.flatMap((node) => {
    const type = meantType(node, nodes)
    if (type === undefined || !('needsEnd' in type) || type.needsEnd?.(node.config as never) !== true) return []
    const endless = understood.find((other) => behind(node, nodes).has(other.id) && isEndless(other, nodes))
    if (endless === undefined) return []
    const index = nodes.indexOf(node)
    const message = `${labelOf(node, index)}: waits until its inputs have ended, and ${endless.id} (${endless.type}) never does`
    return [{ pointer: `/nodes/${index}/config`, message }]
  })
}

function isEndless(node: PipelineNode, nodes: readonly PipelineNode[]): boolean {
  const type = meantType(node, nodes)
  return type?.role === 'source' && !type.isBounded(node.config as never)
}

/** The nodes that records of a node may have come from; the graph may go round in circles. */
function behind({ inputs }: PipelineNode, nodes: readonly PipelineNode[]): ReadonlySet<string> {
  const found = new Set<string>(inputs)
  for (const id of found) for (const input of nodes.find((one) => one.id === id)?.inputs ?? []) found.add(input)
  return found
}
