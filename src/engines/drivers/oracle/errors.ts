import { fromNetwork } from '../common/network-errors.ts'
import { SourceError, type SourceErrorCode } from '../errors.ts'

/** By the codes of the server (ORA) and of the package (NJS, DPI). */
const CODES: readonly (readonly [SourceErrorCode, readonly string[], pointer?: string])[] = [
  ['wrong_credentials', ['ORA-01017', 'ORA-28000', 'ORA-28001', 'ORA-01005', 'NJS-116'], '/password'],
  ['missing_permission', ['ORA-01031', 'ORA-01045', 'ORA-41900']],
  ['not_found', ['ORA-12514', 'ORA-12505', 'NJS-518', 'NJS-517'], '/service'],
  ['not_found', ['ORA-00942', 'ORA-00904']],
  ['tls_failed', ['NJS-505', 'NJS-506', 'NJS-507'], '/tls'],
  ['timeout', ['ORA-12170', 'NJS-510', 'NJS-123', 'ORA-01013']],
  [
    'unavailable',
    [
      'ORA-01033',
      'ORA-01034',
      'ORA-01089',
      'ORA-01555',
      'ORA-12516',
      'ORA-12519',
      'ORA-12520',
      'ORA-00018',
      'ORA-00020'
    ]
  ],
  [
    'unreachable',
    [
      'ORA-03113',
      'ORA-03114',
      'ORA-03135',
      'NJS-500',
      'NJS-501',
      'NJS-503',
      'NJS-511',
      'NJS-521',
      'ORA-12537',
      'ORA-12547'
    ]
  ]
]

/** What an error of the package means; whatever is no error of it stays what it is. */
export function fromOracle(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof SourceError) return error
  const { code, message } = error as Error & { code?: unknown }
  const known = typeof code === 'string' ? code : (/^(?:ORA|NJS|DPI)-\d+/.exec(message)?.[0] ?? '')
  const [meaning, , pointer] = CODES.find(([, codes]) => codes.includes(known)) ?? []
  if (meaning === 'unreachable')
    return new SourceError(meaning, `The connection was cut, or no Oracle answers there (${known})`, '/port')
  if (meaning === 'timeout') return new SourceError(meaning, `The server did not answer in time (${known})`)
  if (meaning !== undefined) return new SourceError(meaning, `The server refused (${firstLine(message)})`, pointer)
  if (/^ORA-/.test(known)) return new SourceError('bad_request', `The server refused (${firstLine(message)})`)
  const network = fromNetwork(error)
  if (network !== undefined) return network
  return /^(?:NJS|DPI)-/.test(known) ? new SourceError('unavailable', `The client failed (${known})`) : error
}

const firstLine = (message: string) => (message.split('\n')[0] ?? '').slice(0, 300)
