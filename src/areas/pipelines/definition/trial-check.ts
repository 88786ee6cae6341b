import { NodeFault } from '../contract/context.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { NodeProblem } from '../protocol/protocol.ts'

/** What can't even be looked at within the limits is wrong, and which of all it was is not known. */
export async function checkedInTrial(
  nodes: readonly PipelineNode[],
  check: () => Promise<readonly NodeProblem[]>
): Promise<readonly NodeProblem[]> {
  try {
    return await check()
  } catch (error) {
    const isTooMuch = error instanceof NodeFault && (error.code === 'too_long' || error.code === 'too_large')
    const [first, ...others] = suspectsOf(nodes)
    if (!isTooMuch || first === undefined) throw error
    const which = others.length === 0 ? 'this node' : `one of ${[first, ...others].map(({ id }) => id).join(', ')}`
    const message = `the SQL or the schema of ${which} could not be checked, make it simpler: ${error.message}`
    return [{ nodeId: first.id, pointer: '', message }]
  }
}

/** Nodes that may be too much to check: those between sources and sinks, where the SQL is, or all where there are none. */
function suspectsOf(nodes: readonly PipelineNode[]): readonly PipelineNode[] {
  const isRead = ({ id }: PipelineNode) => nodes.some(({ inputs }) => inputs.includes(id))
  const between = nodes.filter((node) => node.inputs.length > 0 && isRead(node))
  return between.length > 0 ? between : nodes
}
