import { OutboundError } from '../../outbound/errors.ts'
import { SourceError } from '../errors.ts'
import { fromOutbound } from '../reach.ts'
import { tlsError } from './tls.ts'

const UNREACHABLE = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/
const CUT = /^(?:ECONNRESET|EPIPE|ECONNABORTED|ERR_STREAM_PREMATURE_CLOSE)$/
const MAX_DEPTH = 6

/** The failure of the network below the error of a client, however deep it is within that; undefined where there is none. */
export function fromNetwork(error: unknown, depth = 0): SourceError | undefined {
  if (depth > MAX_DEPTH || typeof error !== 'object' || error === null) return undefined
  if (error instanceof SourceError) return error
  if (error instanceof OutboundError) return fromOutbound(error)
  const { code, cause, reason, errors, originalError } = error as Partial<Record<string, unknown>>
  const known = typeof code === 'string' ? fromCode(code) : undefined
  if (known !== undefined) return known
  const inner = [cause, originalError, reason, ...(Array.isArray(errors) ? errors.slice(0, 5) : [])]
  for (const one of inner) {
    const found = fromNetwork(one, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function fromCode(code: string): SourceError | undefined {
  const isTls = tlsError(code)
  if (isTls !== undefined) return isTls
  if (UNREACHABLE.test(code)) {
    return new SourceError('unreachable', `Nothing accepts connections there (${code}); check the port`, '/port')
  }
  if (CUT.test(code)) return new SourceError('unreachable', `The connection was cut (${code}); try again`)
  if (code === 'ETIMEDOUT')
    return new SourceError('timeout', 'Nothing answered in time; a firewall may be in the way', '/host')
  return undefined
}
