import { SourceError } from '../errors.ts'
import type { UaStatus } from './library.ts'

/** Of what the library throws only the name of the status is kept: its texts quote addresses and certificates. */
export const statusIn = (error: unknown): string =>
  /\bBad[A-Z]\w+/.exec(error instanceof Error ? error.message : '')?.[0] ?? 'no status'

const REFUSED = new Set(['BadUserAccessDenied', 'BadIdentityTokenRejected', 'BadIdentityTokenInvalid'])
const ABSENT = new Set(['BadNodeIdUnknown', 'BadNodeIdInvalid'])
const DENIED = new Set(['BadUserAccessDenied', 'BadNotReadable', 'BadHistoryOperationUnsupported'])

export function fromChannel(error: unknown, isEncrypted: boolean): SourceError {
  const status = statusIn(error)
  if (isEncrypted)
    return new SourceError(
      'tls_failed',
      `No encrypted channel can be opened (${status}): check the certificate of the server, and that it trusts the one of this client`,
      '/serverCertificate'
    )
  return new SourceError(
    'tls_failed',
    `The server opens no channel without encryption (${status}): set security`,
    '/security'
  )
}

export function fromSession(error: unknown): SourceError {
  const status = statusIn(error)
  if (REFUSED.has(status))
    return new SourceError('wrong_credentials', 'The server refuses the user or the password', '/password')
  if (status === 'BadTooManySessions')
    return new SourceError('rate_limited', 'The server has too many sessions; try again later, or permit it more')
  return new SourceError('unavailable', `The server opens no session (${status}); see its log`)
}

/** What a status that is not good means for what was asked. */
export function fromStatus({ name }: UaStatus, what: string): SourceError {
  if (ABSENT.has(name)) return new SourceError('not_found', `There is no node ${what}; discover tells which there are`)
  if (DENIED.has(name)) return new SourceError('missing_permission', `The user may not read ${what}`, '/user')
  return new SourceError('unavailable', `The server failed to read ${what} (${name})`)
}

export const isGood = ({ value }: UaStatus): boolean => value >>> 30 === 0
