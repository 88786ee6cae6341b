import type { FieldError } from '../../errors.ts'
import { faultsOf } from '../../http/compilers.ts'
import { typesNamed } from './nodes/index.ts'
import type { NodeType, PipelineNode } from './nodes/node-type.ts'
import { labelOf, typeOf } from './validate-graph.ts'

/** What is wrong with the configurations of nodes, by the schemas of their types and what no schema can say. */
export function configFaults(nodes: readonly PipelineNode[]): FieldError[] {
  return nodes.flatMap((node, i) => {
    const type = typeOf(node, nodes) ?? onlyTypeOf(node)
    if (type === undefined) return []
    const label = labelOf(node, i)
    return faultsIn(type, node).map(({ pointer, message }) => {
      return { pointer: `/nodes/${i}/config${pointer}`, message: `${label}: ${message}` }
    })
  })
}

/** For a node in the wrong place, so that all that is wrong with it is told at once. */
function onlyTypeOf({ type }: PipelineNode): NodeType | undefined {
  const named = typesNamed(type)
  return named.length === 1 ? named[0] : undefined
}

function faultsIn(type: NodeType, { config }: PipelineNode): readonly FieldError[] {
  const faults = faultsOf(type.config, config)
  return faults.length > 0 ? faults : (type.check?.(config as never) ?? [])
}
