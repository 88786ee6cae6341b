import { BrokerError } from '../../../../engines/brokers/index.ts'
import { SourceError } from '../../../../engines/drivers/index.ts'
import { OutboundError } from '../../../../engines/outbound/index.ts'
import { SqlError } from '../../../../engines/sql/index.ts'
import { NodeFault } from '../../contract/context.ts'

const LASTING: ReadonlySet<string> = new Set(['refused_by_policy', 'tls', 'bad_url', 'protocol', 'too_large'])

/** What went wrong on the way to another system, as a fault of the node. Whatever else was thrown stays what it is. */
function connectionFault(error: unknown): unknown {
  if (error instanceof BrokerError) return new NodeFault(kindOfBroker(error), error.code, error.message)
  if (error instanceof SqlError) return new NodeFault(kindOfSql(error), error.code, error.message)
  if (error instanceof SourceError) {
    return new NodeFault(error.isTransient ? 'transient' : 'fatal', error.code, error.message)
  }
  if (error instanceof OutboundError) {
    return new NodeFault(LASTING.has(error.code) ? 'fatal' : 'transient', error.code, error.message)
  }
  return error
}

/** Does it, and makes faults of the node of what goes wrong. */
export async function connected<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw connectionFault(error)
  }
}

function kindOfBroker(error: BrokerError): NodeFault['kind'] {
  if (error.code === 'too_large') return 'records'
  return error.isTransient || error.code === 'closed' ? 'transient' : 'fatal'
}

function kindOfSql(error: SqlError): NodeFault['kind'] {
  if (error.isAboutRows) return 'records'
  return error.isTransient ? 'transient' : 'fatal'
}
