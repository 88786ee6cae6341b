import { StoreError, type StoreErrorCode } from '../errors.ts'

type Meaning = readonly [StoreErrorCode, string]

/** Meanings by status, for where the reason does not say more. */
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

/** Meanings of errors of the token service; only their texts tell the cases apart. */
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

function readProblem(text: string): { reason: string; message: string } {
  try {
    const { error } = JSON.parse(text) as { error: { message?: string; errors?: { reason?: string }[] } }
    return { reason: error.errors?.[0]?.reason ?? '', message: error.message ?? '' }
  } catch {
    return { reason: '', message: '' }
  }
}
