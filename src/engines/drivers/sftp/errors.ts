import { OutboundError } from '../../outbound/errors.ts'
import { SourceError } from '../errors.ts'
import { fromOutbound } from '../reach.ts'
import type { SftpSettings } from './config.ts'

interface SshError extends Error {
  readonly level?: string
  readonly code?: unknown
}

/** Why no session came about. `seen` is the fingerprint that the server has shown, as far as it got. */
export function fromConnecting(error: unknown, settings: SftpSettings, seen: string | undefined): unknown {
  if (error instanceof SourceError) return error
  if (error instanceof OutboundError) return fromOutbound(error)
  const { level, message, code } = error as SshError
  const { hostKey, privateKey } = settings
  if (seen !== undefined && seen !== hostKey) return strangeKey(seen, hostKey)
  switch (level) {
    case 'client-authentication': {
      const pointer = privateKey === undefined ? '/password' : '/privateKey'
      return new SourceError(
        'wrong_credentials',
        'The server does not let this user in; check name and secret',
        pointer
      )
    }
    case 'client-timeout':
      return new SourceError('timeout', 'The server accepted the connection and then said nothing', '/port')
    case 'handshake':
    case 'protocol':
      return /before handshake/.test(message)
        ? new SourceError('unavailable', 'The server closed the connection before anything was said; try again')
        : new SourceError('tls_failed', 'What answers there does not speak SSH, or none that is safe today', '/port')
    default:
      return brokenOff(code)
  }
}

/** Why a key can’t be used; whatever else was thrown stays what it is. */
export function fromKey(error: unknown): unknown {
  if (!(error instanceof Error) || !/privateKey/.test(error.message)) return error
  return /passphrase|integrity check|decrypt/i.test(error.message)
    ? new SourceError('wrong_credentials', 'The private key is encrypted, and not with this passphrase', '/passphrase')
    : new SourceError('wrong_credentials', 'The private key is none that can be read', '/privateKey')
}

function strangeKey(seen: string, hostKey: string | undefined): SourceError {
  const message =
    hostKey === undefined
      ? `The server has the host key ${seen}. If that is what it says of itself, give it as hostKey`
      : `The server has the host key ${seen}, which is not the one that is given: it has a new one, or somebody stands in between`
  return new SourceError('tls_failed', message, '/hostKey')
}

export function brokenOff(code?: unknown): SourceError {
  if (code === 'ECONNREFUSED') {
    return new SourceError(
      'unreachable',
      'Nothing accepts connections there; check the port, and that it is up',
      '/port'
    )
  }
  return new SourceError('unavailable', 'The connection broke off; try again')
}

const [NO_SUCH_FILE, PERMISSION_DENIED] = [2, 3]

/** Why the server did not do something with a path. */
export function fromSftp(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof SourceError || error.name === 'AbortError') return error
  switch ((error as SshError).code) {
    case NO_SUCH_FILE:
      return new SourceError('not_found', `${path} is not there`, '/files')
    case PERMISSION_DENIED:
      return new SourceError('missing_permission', `${path} may not be read by this user`, '/files')
    default:
      return typeof (error as SshError).code === 'number'
        ? new SourceError('bad_request', `The server can't read ${path}`, '/files')
        : brokenOff((error as SshError).code)
  }
}
