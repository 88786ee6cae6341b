import { fromNetwork } from '../common/network-errors.ts'
import { SourceError } from '../errors.ts'

/** Codes of the protocol. */
const BAD_CREDENTIALS = 0x0100
const UNAUTHORIZED = 0x2100
const TIMED_OUT: ReadonlySet<number> = new Set([0x1200, 0x1300])
const UNAVAILABLE: ReadonlySet<number> = new Set([0x0000, 0x1000, 0x1001, 0x1002])

/** What an error of the package means; whatever is no error of it stays what it is. */
export function fromCassandra(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof SourceError) return error
  const { name, message, code, innerErrors } = error as Error & {
    code?: unknown
    innerErrors?: Record<string, unknown>
  }
  // One member is called, so there is one reason why none answers.
  const [inner] = Object.values(innerErrors ?? {})
  if (inner instanceof Error) return fromCassandra(inner)
  if (name === 'AuthenticationError' || code === BAD_CREDENTIALS) {
    return new SourceError('wrong_credentials', 'User or password is wrong, or none was given', '/password')
  }
  if (typeof code === 'number') return fromServer(code, message)
  const network = fromNetwork(error)
  if (network !== undefined) return network
  if (name === 'OperationTimedOutError') return new SourceError('timeout', 'The server took too long')
  if (name === 'NoHostAvailableError' || name === 'DriverError' || /timeout/i.test(message)) {
    return new SourceError(
      'unreachable',
      'Nothing there answers as Cassandra does; check host, port and encryption',
      '/port'
    )
  }
  return error
}

function fromServer(code: number, message: string): SourceError {
  if (code === UNAUTHORIZED) return new SourceError('missing_permission', 'The user may not do that')
  if (TIMED_OUT.has(code)) return new SourceError('timeout', `The cluster took too long (0x${code.toString(16)})`)
  if (UNAVAILABLE.has(code))
    return new SourceError('unavailable', `The cluster can't answer now (0x${code.toString(16)})`)
  return new SourceError('bad_request', `The server refused (0x${code.toString(16)}): ${message.slice(0, 300)}`)
}
