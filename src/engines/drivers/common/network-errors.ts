import { OutboundError } from '../../outbound/errors.ts'
import { SourceError } from '../errors.ts'
import { fromOutbound } from '../reach.ts'

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|^EPROTO$/
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
  if (code === 'CERT_HAS_EXPIRED') {
    return new SourceError('tls_failed', 'The certificate of the server has expired; have it renewed', '/tls')
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new SourceError('tls_failed', 'The certificate is for another host; give the name that it is for', '/host')
  }
  if (CERTIFICATE.test(code)) {
    const hint = 'check that it speaks TLS there, and that somebody known vouches for its certificate'
    return new SourceError('tls_failed', `The connection could not be encrypted (${code}); ${hint}`, '/tls')
  }
  if (UNREACHABLE.test(code)) {
    return new SourceError('unreachable', `Nothing accepts connections there (${code}); check the port`, '/port')
  }
  if (CUT.test(code)) return new SourceError('unreachable', `The connection was cut (${code}); try again`)
  if (code === 'ETIMEDOUT')
    return new SourceError('timeout', 'Nothing answered in time; a firewall may be in the way', '/host')
  return undefined
}
