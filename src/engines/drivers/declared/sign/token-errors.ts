import { SourceError } from '../../errors.ts'
import type { Answer } from '../outgoing.ts'
import { memberOf } from '../template/template.ts'

/** The fields of a configuration that a refusal can be about. */
export interface TokenPointers {
  /** What the client, or whoever signs in, is known by. */
  readonly client: string | undefined
  /** What was permitted to it: a refresh token, a password, a signed statement. */
  readonly grant: string | undefined
  readonly scopes?: string | undefined
  readonly address?: string | undefined
}

const CLIENT = /^(?:invalid_client|unauthorized_client|invalid_client_id|incorrect_client_credentials|bad_client)/
const GRANT = /^(?:invalid_grant|bad_refresh_token|invalid_refresh_token|expired_token|token_expired|invalid_token)/
const CODE_PLACES = [['error'], ['error', 'code'], ['error', 'type'], ['errorCode'], ['code']]

/** Why there is no token. Nothing that the service says is repeated: it may have secrets of the request in it. */
export function tokenRefusal(answer: Answer, what: 'token' | 'sign-in', pointers: TokenPointers): SourceError {
  const { status } = answer
  const where = what === 'token' ? 'The address for tokens' : 'The address for signing in'
  if (status >= 500 && status !== 504) {
    return new SourceError('unavailable', `${where} can't answer right now (${status}); try again later`)
  }
  switch (status) {
    case 408:
    case 504:
      return new SourceError('timeout', `${where} did not answer in time (${status}); try again later`)
    case 429:
      return new SourceError('rate_limited', `${where} was asked too often; try again later`)
    case 404:
    case 405:
      return new SourceError('not_found', `${where} is not there (${status}); check the host`, pointers.address)
  }
  if (status >= 300 && status < 400) {
    const message = `${where} answers with another address, which is not followed; give that`
    return new SourceError('bad_request', message, pointers.address)
  }
  return refusalByCode(codeOf(answer), status, what, pointers)
}

function refusalByCode(code: string, status: number, what: 'token' | 'sign-in', pointers: TokenPointers): SourceError {
  const { client, grant, scopes } = pointers
  if (CLIENT.test(code)) {
    const message = 'The service does not know this client, or its secret is wrong (invalid_client); check both'
    return new SourceError('wrong_credentials', message, client)
  }
  if (GRANT.test(code)) {
    const message =
      'What was permitted has expired or was taken back, or the service gave another in its place that could not be kept (invalid_grant); have it permitted again and give what comes of that'
    return new SourceError('wrong_credentials', message, grant)
  }
  if (code === 'invalid_scope') {
    const message = 'The service does not permit this scope to the client (invalid_scope)'
    return new SourceError('missing_permission', message, scopes)
  }
  if (code === 'temporarily_unavailable' || code === 'server_error') {
    return new SourceError('unavailable', 'The service gives no tokens right now; try again later')
  }
  if (what === 'token' && (code === 'invalid_request' || code === 'unsupported_grant_type')) {
    return new SourceError('bad_request', `The service refused how a token was asked for (${code})`, grant ?? client)
  }
  return new SourceError(
    'wrong_credentials',
    `The service did not accept these credentials${status < 300 ? ': its answer has no token' : ` (${status})`}`,
    what === 'token' ? (client ?? grant) : (grant ?? client)
  )
}

/** Whether a service takes what it was given for a token no more. */
export const isGrantRefused = (answer: Answer): boolean => answer.status < 500 && GRANT.test(codeOf(answer))

function codeOf({ body }: Answer): string {
  const found = CODE_PLACES.map((path) => memberOf(body, path)).find((code) => typeof code === 'string')
  return typeof found === 'string' ? found.toLowerCase() : ''
}
