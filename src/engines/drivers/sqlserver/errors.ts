import { fromNetwork } from '../common/network-errors.ts'
import { SourceError, type SourceErrorCode } from '../errors.ts'

/** By the error numbers of SQL Server. */
const NUMBERS: readonly (readonly [SourceErrorCode, readonly number[], pointer?: string])[] = [
  ['wrong_credentials', [18452, 18456, 18470, 18486, 18487, 18488], '/password'],
  ['not_found', [4060, 911], '/database'],
  ['not_found', [208]],
  ['missing_permission', [229, 230, 262, 297, 300, 371, 916, 15247]],
  ['timeout', [1222]],
  ['unavailable', [1205, 40197, 40501, 40613, 49918, 49919, 49920, 17142, 6005, 10928, 10929]]
]

/** What an error of the package means; whatever is no error of it stays what it is. */
export function fromTedious(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof SourceError) return error
  const { code, number, message } = told(error)
  const [meaning, , pointer] = NUMBERS.find(([, numbers]) => numbers.includes(number ?? 0)) ?? []
  if (meaning !== undefined) return new SourceError(meaning, `The server refused (${number}): ${message}`, pointer)
  const network = fromNetwork(error)
  if (network !== undefined) return network
  switch (code) {
    case 'ELOGIN':
      return new SourceError('wrong_credentials', 'The server does not let this user in', '/password')
    case 'EENCRYPT':
      return new SourceError('tls_failed', 'One side wants encryption and the other does not; change that', '/tls')
    case 'ETIMEOUT':
      return new SourceError('timeout', 'The server did not answer in time', '/host')
    case 'ESOCKET':
    case 'ECLOSE':
      return new SourceError(
        'unreachable',
        'The connection was cut, or nothing there speaks as SQL Server does',
        '/port'
      )
    case 'EREQUEST':
      return new SourceError('bad_request', `The server refused (${number}): ${message}`)
    default:
      return typeof code === 'string' ? new SourceError('unavailable', `The client failed (${code})`) : error
  }
}

/** Of several errors, one that has a number says why. */
function told(error: Error): { code: unknown; number: number | undefined; message: string } {
  const { errors = [] } = error as { errors?: readonly Error[] }
  const one = [error, ...errors].find((each) => typeof (each as { number?: unknown }).number === 'number') ?? error
  const { code, number, message } = one as Error & { code?: unknown; number?: number }
  return { code, number, message: message.slice(0, 300) }
}
