import { OutboundError, type OutboundErrorCode } from '../../outbound/index.ts'
import { StoreError, type StoreErrorCode } from '../errors.ts'

type Meaning = readonly [StoreErrorCode, string]

/** By status, where the reason below does not say more. */
const BY_STATUS: Readonly<Record<number, Meaning>> = {
  401: ['wrong_secret', 'The server does not accept the credentials; give a key of the service account that is active'],
  403: ['access_denied', 'The service account may not do this; grant it a role with the permission'],
  408: ['timed_out', 'The server waited too long for the request; try again'],
  412: ['precondition_failed', 'The object is not the one that was expected'],
  429: ['throttled', 'There are too many requests at the moment; try again later'],
  501: ['store_failed', 'The server at this endpoint does not offer this operation; use one that does'],
  507: ['store_full', 'There is no room left; delete something or raise the limit']
}

/** Reasons that mean the same with any status. */
const BY_REASON: Readonly<Record<string, Meaning>> = {
  rateLimitExceeded: ['throttled', 'There are too many requests at the moment; try again later'],
  userRateLimitExceeded: ['throttled', 'There are too many requests at the moment; try again later'],
  quotaExceeded: ['throttled', 'A quota of the project is used up; raise it or try again later'],
  accountDisabled: ['access_denied', 'The account is disabled; enable its billing or use another one'],
  accessNotConfigured: ['access_denied', 'The project does not use Cloud Storage yet; enable its API'],
  required: ['access_denied', 'The server wants credentials; give a service account']
}

const NETWORK: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: ['connection_refused', 'Nothing accepts connections there; check the endpoint and the port'],
  EHOSTUNREACH: ['connection_refused', 'No network path leads there; check the endpoint'],
  ENETUNREACH: ['connection_refused', 'No network path leads there; check the endpoint'],
  EADDRNOTAVAIL: ['connection_refused', 'No network path leads there; check the endpoint'],
  ENOTFOUND: ['unknown_host', 'The name of the endpoint is not known; check its spelling'],
  EAI_AGAIN: ['unknown_host', 'The name of the endpoint can’t be looked up now; check it and the name servers'],
  ETIMEDOUT: ['timed_out', 'The server did not answer in time; check that no firewall is in the way, or try again'],
  ECONNRESET: ['store_failed', 'The server closed the connection before its answer was complete; try again'],
  EPIPE: ['store_failed', 'The server closed the connection before its answer was complete; try again'],
  EPROTO: ['tls_failed', 'No TLS connection comes about; check the port and whether it speaks TLS']
}

const OUTBOUND: Readonly<Partial<Record<OutboundErrorCode, StoreErrorCode>>> = {
  refused_by_policy: 'address_refused',
  unknown_host: 'unknown_host',
  bad_url: 'unknown_host',
  unreachable: 'connection_refused',
  connection_refused: 'connection_refused',
  tls: 'tls_failed',
  timeout: 'timed_out'
}

/** What the token service says about an account; its texts are the only place where it tells the cases apart. */
const GRANTS: readonly (readonly [RegExp, Meaning])[] = [
  [/account not found|invalid_client/i, ['unknown_access_key', 'Google knows no such service account; check its name']],
  [
    /short-lived|reasonable timeframe|\biat\b|\bexp\b/i,
    ['clock_off', 'The clock of this server is off, says Google; set it right']
  ],
  [/signature/i, ['wrong_secret', 'The private key is not one of this service account; give one that is']],
  [/disabled|unauthorized_client/i, ['access_denied', 'The service account is disabled or may not sign in; enable it']],
  [/invalid_grant/i, ['wrong_secret', 'Google does not accept the private key; make a new one for the account']]
]

export function fromStatus(status: number, text: string): StoreError {
  const { reason, message } = readProblem(text)
  const known = BY_REASON[reason] ?? BY_STATUS[status]
  if (known === undefined) {
    const said = reason === '' ? `${status}` : `${status} ${reason}`
    return new StoreError('store_failed', `The server could not do it (${said}); try again later`)
  }
  const [code, advice] = known
  const permission = code === 'access_denied' ? /\bstorage\.[a-zA-Z]+\.[a-zA-Z]+\b/.exec(message)?.[0] : undefined
  return new StoreError(code, permission === undefined ? advice : `${advice} ${permission}`)
}

/** What the answer to a token request means. */
export function fromGrant(status: number, text: string): StoreError {
  const meaning = status < 500 ? GRANTS.find(([pattern]) => pattern.test(text))?.[1] : undefined
  if (meaning !== undefined) return new StoreError(...meaning)
  return new StoreError('store_failed', `The token service could not do it (${status}); try again later`)
}

/** What a failure of the connection means; anything else that was thrown is passed on as it is. */
export function fromNetwork(error: unknown): unknown {
  for (const link of chainOf(error)) {
    if (link instanceof StoreError) return link
    if (link instanceof OutboundError) {
      return new StoreError(OUTBOUND[link.code] ?? 'store_failed', link.message)
    }
    const { code, message } = link as { code?: unknown; message?: unknown }
    if (typeof code !== 'string') continue
    if (code === 'ECONNRESET' && String(message).includes('secure TLS')) return networkError('EPROTO')
    if (code in NETWORK) return networkError(code)
    if (/^ERR_(SSL|TLS)_/.test(code)) return networkError('EPROTO')
    if (/CERT|UNABLE_TO_/.test(code)) {
      return new StoreError('tls_failed', `The certificate of the server is not trusted (${code}); check it`)
    }
    if (code.startsWith('HPE_')) {
      return new StoreError(
        'store_failed',
        'The server does not answer with HTTP; check the port and whether it uses TLS'
      )
    }
  }
  return error
}

function networkError(code: string): StoreError {
  return new StoreError(...(NETWORK[code] as Meaning))
}

function chainOf(error: unknown): object[] {
  const chain: object[] = []
  const waiting = [error]
  while (waiting.length > 0 && chain.length < 20) {
    const link = waiting.pop()
    if (typeof link !== 'object' || link === null || chain.includes(link)) continue
    chain.push(link)
    if (link instanceof AggregateError) waiting.push(...link.errors)
    waiting.push((link as { cause?: unknown }).cause)
  }
  return chain
}

function readProblem(text: string): { reason: string; message: string } {
  try {
    const { error } = JSON.parse(text) as { error: { message?: string; errors?: { reason?: string }[] } }
    return { reason: error.errors?.[0]?.reason ?? '', message: error.message ?? '' }
  } catch {
    return { reason: '', message: '' }
  }
}
