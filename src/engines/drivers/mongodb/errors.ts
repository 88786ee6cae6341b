import { fromNetwork } from '../common/network-errors.ts'
import { SourceError } from '../errors.ts'

/** Error numbers of MongoDB's documentation. */
const WRONG_CREDENTIALS = new Set([18])
const DENIED = new Set([13])
const TIMED_OUT = new Set([50, 262])
/** Shutting down, stepping down, or not ready yet. */
const UNAVAILABLE = new Set([89, 91, 189, 10107, 11600, 11602, 13435, 13436])

/** What an error of the package means; whatever is no error of it stays what it is. */
export function fromMongo(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof SourceError) return error
  const { name, code, message } = error as Error & { code?: unknown }
  if (typeof code === 'number') return fromServer(code, message)
  const network = fromNetwork(error)
  if (network !== undefined) return network
  if (name === 'MongoServerSelectionError' || name.startsWith('MongoNetwork')) {
    return new SourceError(
      'unreachable',
      'Nothing there answers as MongoDB does; check host, port and encryption',
      '/port'
    )
  }
  return name.startsWith('Mongo') ? new SourceError('unavailable', `The client failed (${name})`) : error
}

function fromServer(code: number, message: string): SourceError {
  if (WRONG_CREDENTIALS.has(code)) {
    return new SourceError('wrong_credentials', 'User, password or the database of the user is wrong', '/password')
  }
  if (DENIED.has(code)) return new SourceError('missing_permission', 'The user may not do that')
  if (TIMED_OUT.has(code)) return new SourceError('timeout', 'The server took too long')
  if (UNAVAILABLE.has(code)) return new SourceError('unavailable', `The server can't answer right now (${code})`)
  return new SourceError('bad_request', `The server refused (${code}): ${message.slice(0, 300)}`)
}

export async function fromMongoIn<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw fromMongo(error)
  }
}
