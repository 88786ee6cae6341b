import type { FieldError } from '../../../errors.ts'
import { faultsOf } from '../../../http/compilers.ts'
import type { NodeType, PipelineNode } from '../contract/node-type.ts'
import { meantType } from '../nodes/index.ts'
import { labelOf } from './validate-graph.ts'

/** What is wrong with the configurations of nodes, by the schemas of their types and what no schema can say. */
export function configFaults(nodes: readonly PipelineNode[]): FieldError[] {
  return nodes.flatMap((node, i) => {
    // Of a node in the wrong place, too, so that all that is wrong with it is told at once.
    const type = meantType(node, nodes)
    if (type === undefined) return []
    const label = labelOf(node, i)
    return faultsIn(type, node).map(({ pointer, message }) => {
      return { pointer: `/nodes/${i}/config${pointer}`, message: `${label}: ${message}` }
    })
  })
}

/** The nodes that can be looked into: of a known type, as that wants it. Of two with one id the first. */
export function understoodNodes(nodes: readonly PipelineNode[]): PipelineNode[] {
  return nodes.filter((node, i) => {
    const type = meantType(node, nodes)
    const isFirst = nodes.findIndex(({ id }) => id === node.id) === i
    return isFirst && type !== undefined && faultsOf(type.config, node.config).length === 0
  })
}

function faultsIn(type: NodeType, { config }: PipelineNode): readonly FieldError[] {
  const faults = faultsOf(type.config, config)
  return faults.length > 0 ? faults : (type.check?.(config as never) ?? [])
}
