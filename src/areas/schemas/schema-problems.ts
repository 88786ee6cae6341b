import { type FaultKind, SchemaFault, TaskRefusal } from '../../engines/schemas/index.ts'
import { type ErrorCode, Problem } from './errors.ts'

const CODES: Record<FaultKind, ErrorCode> = {
  invalid: 'invalid_schema',
  missing_reference: 'schema_reference_missing',
  too_complex: 'schema_too_complex',
  unsupported: 'unprocessable'
}

/** Runs work on schemas, and turns its faults into problems of the API. */
export async function withFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SchemaFault) throw faultProblem(error)
    throw error instanceof TaskRefusal ? refusalProblem(error) : error
  }
}

function refusalProblem({ code }: TaskRefusal): Problem {
  return code === 'closed'
    ? new Problem('shutting_down')
    : new Problem('overloaded', { headers: { 'retry-after': '1' } })
}

/** `line` and `column` count from 1; `pointer` goes into the schema, where `errors` goes into the body. */
function faultProblem(fault: SchemaFault): Problem {
  const { line, column, pointer, dependency } = fault.place
  const members = Object.fromEntries(
    Object.entries({ line, column, pointer, dependency }).filter(([, value]) => value !== undefined)
  )
  return new Problem(CODES[fault.kind], {
    detail: `${whereOf(fault)}${fault.message}${/[.!?]$/.test(fault.message) ? '' : '.'}`,
    errors: [{ pointer: '/schema', message: fault.message }],
    members,
    cause: fault
  })
}

function whereOf({ place: { line, column, pointer, dependency } }: SchemaFault): string {
  const inside = dependency === undefined ? '' : ` of ${dependency}`
  if (line !== undefined) return `Line ${line}${column === undefined ? '' : `, column ${column}`}${inside}: `
  if (pointer !== undefined) return `${pointer === '' ? 'The schema itself' : pointer}${inside}: `
  return dependency === undefined ? '' : `${dependency}: `
}
