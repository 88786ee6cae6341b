import { NodeFault } from './context.ts'

/** What DuckDB says of records whose values do not fit; of another record the same statement may be right. */
const ABOUT_RECORDS = /^(?:Conversion|Invalid Input|Out of Range|Constraint|Mismatch Type|Value|Decimal) ?Error: /i
const ABOUT_THE_STATEMENT = /^(?:Binder|Parser|Catalog|Syntax|Not implemented|Permission) Error: /i
const OUT_OF_SPACE = /No space left on device|ENOSPC|not enough disk space|max_temp_directory_size/i

/** Sorts whatever was thrown at a node; what is known already stays as it is. */
export function toFault(error: unknown): NodeFault {
  if (error instanceof NodeFault) return error
  const message = error instanceof Error ? error.message : String(error)
  if (OUT_OF_SPACE.test(message)) {
    return new NodeFault('transient', 'disk_full', 'The disk is full; make room, and it goes on by itself', {
      cause: error
    })
  }
  if (/^Out of Memory Error/i.test(message)) {
    return new NodeFault('transient', 'out_of_memory', `The memory of pipelines is used up: ${firstLine(message)}`, {
      cause: error
    })
  }
  if (/^INTERRUPT Error/i.test(message))
    return new NodeFault('transient', 'interrupted', 'It was stopped', { cause: error })
  if (ABOUT_RECORDS.test(message))
    return new NodeFault('records', 'invalid_value', firstLine(message), { cause: error })
  if (ABOUT_THE_STATEMENT.test(message)) {
    return new NodeFault('fatal', 'sql_error', firstLine(message), { cause: error })
  }
  return new NodeFault('transient', 'unexpected', firstLine(message), { cause: error })
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
