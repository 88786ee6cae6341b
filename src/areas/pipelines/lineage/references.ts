import { isNode } from '../../lineage/index.ts'
import type { NodeType, PipelineNode } from '../contract/node-type.ts'
import { referencesIn, roleOf, typesOf } from '../nodes/index.ts'

/** The data that a pipeline reads and writes, as its definition says. */
export function referencesOf(pipelineId: string, nodes: readonly PipelineNode[]) {
  const inputs = new Set<string>()
  const outputs = new Set<string>()
  const types = typesOf(nodes)
  for (const node of nodes) {
    const type = types.get(node.id)
    const into = type?.role === 'sink' ? outputs : inputs
    for (const reference of dataOf(node, type)) into.add(reference)
    for (const reference of schemasOf(node)) inputs.add(reference)
  }
  if (outputSinks(nodes).length > 0) outputs.add(outputReference(pipelineId))
  return { inputs: [...inputs], outputs: [...outputs] }
}

/** What a definition of long ago may name is left out where it names nothing. */
export const dataOf = (node: PipelineNode, type: NodeType | undefined): string[] =>
  referencesIn(node, type).filter(isNode)

/** The registered schema that records are held against, or have the types of. */
const schemasOf = ({ config }: PipelineNode): string[] =>
  typeof config.schemaId === 'string' ? [`schema://${config.schemaId}`].filter(isNode) : []

/** All that a pipeline puts out and the platform can read. */
export const outputReference = (pipelineId: string): string => `pipeline://${pipelineId}`

/** The sinks that make the output of a pipeline: those for `series` or, where it has none, those for objects. */
export function outputSinks(nodes: readonly PipelineNode[]): readonly PipelineNode[] {
  const sinks = nodes.filter((node) => roleOf(node, nodes) === 'sink')
  const series = sinks.filter(({ type }) => type === 'series')
  return series.length > 0 ? series : sinks.filter(({ type }) => type === 'object')
}
