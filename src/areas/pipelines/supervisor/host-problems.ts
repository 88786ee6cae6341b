import { NodeFault } from '../contract/context.ts'
import { Problem } from '../errors.ts'

/** Does something with a process that runs pipelines, and says what goes wrong in the words of the API. */
export async function withHost<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof NodeFault ? toProblem(error) : error
  }
}

function toProblem(fault: NodeFault): Problem {
  if (fault.kind === 'transient') {
    const detail = `${fault.message}; try again in a moment.`
    return new Problem('pipeline_busy', { detail, headers: { 'retry-after': '1' } })
  }
  if (fault.code === 'too_long')
    return new Problem('query_timeout', { detail: `${fault.message}; try it with fewer records.` })
  const { nodeId = null, code: cause } = fault
  const detail = nodeId === null ? `${fault.message}.` : `${nodeId}: ${fault.message}.`
  return new Problem('unprocessable', { detail, members: { cause, nodeId } })
}
