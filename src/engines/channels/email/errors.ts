import { OutboundError } from '../../outbound/index.ts'
import { answerText } from '../answer.ts'
import type { Sent, SentCode } from '../channel-type.ts'
import { notSent } from '../post.ts'

/** What nodemailer says of a failure. */
interface SmtpError {
  readonly code?: string
  readonly originalCode?: string
  readonly response?: string
  readonly responseCode?: number
}

/** Codes of OpenSSL and of Node's check of certificates. */
const OF_TLS = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/

/** What came of a mail that the server did not take. */
export function mailNotSent(error: unknown, where: string, secrets: readonly string[]): Sent {
  if (error instanceof OutboundError) return notSent(error, secrets)
  const { code = '', originalCode = '', response, responseCode } = error as SmtpError
  if (responseCode !== undefined) {
    const answer = answerText(response ?? '', secrets)
    return { status: responseCode, answer, ...judged(responseCode, code) }
  }
  const [sentCode, answer] = sentence(code, originalCode, where)
  return { outcome: sentCode === 'rejected' ? 'refused' : 'failed', status: null, answer, code: sentCode }
}

/** 4xx is for now, 5xx is for good. */
function judged(status: number, code: string): Pick<Sent, 'outcome' | 'code'> {
  const isAuth = code === 'EAUTH' || status === 530 || status === 535
  if (status < 500) return { outcome: 'failed', code: code === 'ETLS' ? 'tls' : 'server_error' }
  if (isAuth) return { outcome: 'refused', code: 'unauthorized' }
  return code === 'ETLS' ? { outcome: 'failed', code: 'tls' } : { outcome: 'refused', code: 'rejected' }
}

function sentence(code: string, originalCode: string, where: string): [SentCode, string] {
  if (code === 'ETLS' || OF_TLS.test(originalCode)) {
    const reason = originalCode === '' ? '' : ` (${originalCode})`
    return ['tls', `No secure connection to ${where}${reason}; check its certificate, and tls and port`]
  }
  switch (code) {
    case 'ETIMEDOUT':
      return ['timeout', `${where} did not answer in time; check that it is up and no firewall is in the way`]
    case 'EAUTH':
      return ['unauthorized', `${where} offers no way to sign in that is known here; check tls and port`]
    case 'EMESSAGE':
      return ['rejected', `The mail is larger than ${where} takes`]
    case 'EPROTOCOL':
      return ['unexpected_answer', `${where} does not answer like a mail server; check the port`]
    default:
      return originalCode === 'ECONNREFUSED'
        ? ['unreachable', `Nothing accepts connections at ${where}; check the port`]
        : ['unreachable', `${where} closed the connection before it had taken the mail; try again`]
  }
}
