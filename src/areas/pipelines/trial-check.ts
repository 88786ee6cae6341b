import { NodeFault } from './nodes/context.ts'
import type { PipelineNode } from './nodes/node-type.ts'
import type { NodeProblem } from './protocol.ts'

/** What can't even be looked at within the limits is wrong, and which of all it was is not known. */
export async function checkedInTrial(
  [first]: readonly PipelineNode[],
  check: () => Promise<readonly NodeProblem[]>
): Promise<readonly NodeProblem[]> {
  try {
    return await check()
  } catch (error) {
    const isTooMuch = error instanceof NodeFault && (error.code === 'too_long' || error.code === 'too_large')
    if (!isTooMuch || first === undefined) throw error
    const message = `the SQL and the schemas of the pipeline could not be checked, make them simpler: ${error.message}`
    return [{ nodeId: first.id, pointer: '', message }]
  }
}
