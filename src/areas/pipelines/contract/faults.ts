import { type DuckdbErrorKind, duckdbErrorKind } from '../../../engines/duckdb-errors.ts'
import { NodeFault } from './context.ts'

/** Values of records that do not fit; of another record the same statement may be right. */
const ABOUT_RECORDS = new Set<DuckdbErrorKind>([
  'conversion',
  'invalid_input',
  'out_of_range',
  'constraint',
  'mismatch_type',
  'value',
  'decimal'
])
const ABOUT_THE_STATEMENT = new Set<DuckdbErrorKind>([
  'binder',
  'missing_column',
  'ambiguous_call',
  'parser',
  'catalog',
  'syntax',
  'not_implemented',
  'permission'
])

/** Sorts whatever was thrown at a node; what is known already stays as it is. */
export function toFault(error: unknown): NodeFault {
  if (error instanceof NodeFault) return error
  const message = error instanceof Error ? error.message : String(error)
  const [kind, code, said] = sorted(duckdbErrorKind(error), firstLine(message))
  return new NodeFault(kind, code, said, { cause: error })
}

function sorted(kind: DuckdbErrorKind | undefined, message: string): [NodeFault['kind'], string, string] {
  if (kind === 'disk_full') return ['transient', 'disk_full', 'The disk is full; make room, and it goes on by itself']
  if (kind === 'out_of_memory') return ['transient', 'out_of_memory', `The memory of pipelines is used up: ${message}`]
  if (kind === 'interrupted') return ['transient', 'interrupted', 'It was stopped']
  if (kind !== undefined && ABOUT_RECORDS.has(kind)) return ['records', 'invalid_value', message]
  if (kind !== undefined && ABOUT_THE_STATEMENT.has(kind)) return ['fatal', 'sql_error', message]
  return ['transient', 'unexpected', message]
}

/** The fault with the node at which it happened, unless one is known already. */
export function at(node: { readonly id: string }, error: unknown): NodeFault {
  const fault = toFault(error)
  fault.nodeId ??= node.id
  return fault
}

/** DuckDB goes on with hints and the statement, part of which is not the user's. Where files lie is nobody's concern. */
function firstLine(message: string): string {
  const [first = ''] = message.split('\n', 1)
  const line = first.replaceAll(QUOTED_PATH, '$1…$1').replaceAll(FILE_PATH, '…')
  return line.length > 500 ? `${line.slice(0, 500)}…` : line
}

const QUOTED_PATH = /(['"])\/[^'"/]+\/[^'"]*\1/g
/** An absolute path that is not part of an address on the web. */
const FILE_PATH = /(?<![:/\w])\/(?:[^\s'"/]+\/)+[^\s'",;)]*/g
