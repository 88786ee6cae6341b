import { toIso } from '../../clock.ts'
import { SourceError } from '../errors.ts'

const UNKNOWN_AUTHORITY = /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_SIGNATURE_FAILURE|CERT_UNTRUSTED|INVALID_CA)/
const OTHER_FAULTS = /^(ERR_TLS_|ERR_SSL_|CERT_|HOSTNAME_MISMATCH|EPROTO)/

/** The error for a code of Node that says why a connection could not be encrypted; undefined for any other. */
export function tlsError(code: unknown): SourceError | undefined {
  if (typeof code !== 'string') return undefined
  if (code === 'CERT_HAS_EXPIRED') {
    return failed('The certificate of the server has expired; have it renewed there')
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return failed('The certificate is not for the host that is given; use the name that it was made for')
  }
  if (UNKNOWN_AUTHORITY.test(code)) {
    return failed(`Nobody whom this server trusts vouches for the certificate (${code}); give its authority as ca`)
  }
  return OTHER_FAULTS.test(code) ? failed(`The connection can't be encrypted (${code}); check the port`) : undefined
}

/** The server is there and can't do with encryption, or without it, what it was asked to. */
export const unencrypted = (pointer?: string) =>
  failed(
    'The server has no encryption at this port, or wants it; set tls as the server has it, or check the port',
    pointer
  )

export const expired = (untilMs: number, pointer?: string) =>
  failed(`The certificate of the server expired on ${toIso(untilMs).slice(0, 10)}; have it renewed there`, pointer)

const failed = (message: string, pointer = '/tls') => new SourceError('tls_failed', message, pointer)
