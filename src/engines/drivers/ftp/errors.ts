import { FTPError } from 'basic-ftp'
import { OutboundError } from '../../outbound/errors.ts'
import { tlsError } from '../common/tls.ts'
import { SourceError } from '../errors.ts'
import { fromOutbound } from '../reach.ts'

/** Why a server could not be entered. */
export function fromEntering(error: unknown, tls: boolean): unknown {
  if (!(error instanceof FTPError)) return fromNetwork(error)
  if (/encrypt|TLS|SSL/i.test(error.message) && !tls) {
    return new SourceError('tls_failed', 'The server wants encryption: set tls', '/tls')
  }
  switch (error.code) {
    case 530:
    case 332:
      return new SourceError(
        'wrong_credentials',
        'The server does not let this user in with this password',
        '/password'
      )
    case 500:
    case 502:
    case 504:
    case 534:
    case 431:
      return new SourceError('tls_failed', 'The server can’t encrypt the connection; without tls it may', '/tls')
    default:
      return new SourceError('unavailable', `The server refuses for now (${error.code}); try again`)
  }
}

/** Why a server did not do something with a path. Many say the same whether something is not there or not permitted. */
export function fromFtp(error: unknown, path: string): unknown {
  if (!(error instanceof FTPError)) return fromNetwork(error)
  if (error.code === 550 || error.code === 553 || error.code === 450) {
    return /permission|denied|not allowed/i.test(error.message)
      ? new SourceError('missing_permission', `${path} may not be read by this user`, '/files')
      : new SourceError('not_found', `${path} is not there, or may not be read by this user`, '/files')
  }
  if (error.code === 500 || error.code === 502) {
    return new SourceError('bad_request', 'The server lacks a command that reading files needs: MDTM, SIZE or LIST')
  }
  return new SourceError('unavailable', `The server refuses for now (${error.code}); try again`)
}

function fromNetwork(error: unknown): unknown {
  if (error instanceof OutboundError) return fromOutbound(error)
  if (error instanceof SourceError || !(error instanceof Error)) return error
  const { code = '' } = error as { code?: string }
  const isTls = tlsError(code)
  if (isTls !== undefined) return isTls
  if (code === 'ECONNREFUSED') {
    return new SourceError(
      'unreachable',
      'Nothing accepts connections there; check the port, and that it is up',
      '/port'
    )
  }
  if (/^Timeout/.test(error.message)) return new SourceError('timeout', 'The server did not answer in time')
  return new SourceError('unavailable', 'The connection broke off; try again')
}
