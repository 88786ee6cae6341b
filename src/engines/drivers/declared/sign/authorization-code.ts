import { createHash } from 'node:crypto'
import { SourceError } from '../../errors.ts'
import type { Authentication, OAuth2 } from '../entry.ts'
import { memberOf, namesIn, type Scope } from '../template/template.ts'
import { addressOf } from './address.ts'
import { chosen } from './choice.ts'
import type { SignNeeds } from './needs.ts'
import { clientRequest, pointersOf } from './oauth2.ts'
import { accessTokenIn } from './token-answer.ts'
import { optional, required } from './values.ts'

/** OAuth 2 where a person can be asked to permit it. */
export interface Permittable extends OAuth2 {
  readonly authorizeUrl: string
  readonly clientId: string
  /** The setting that the refresh token is kept in. */
  readonly field: string
}

/** What an authorisation begins with and is ended with. */
export interface Permission {
  /** Where the browser of the person comes back to. */
  readonly redirectUri: string
  /** Kept here; the service is told a hash of it first, and it itself with the code (PKCE, RFC 7636). */
  readonly verifier: string
}

/** How a person can permit what a configuration wants; undefined where nobody can. */
export function permittableOf(authentication: Authentication, scope: Scope): Permittable | undefined {
  const oauth = chosen(authentication, scope)
  if (oauth.kind !== 'oauth2' || oauth.grant !== 'refresh_token') return undefined
  const { authorizeUrl, clientId, refreshToken = '' } = oauth
  const field = namesIn(refreshToken)[0]
  if (authorizeUrl === undefined || clientId === undefined || field === undefined) return undefined
  return { ...oauth, authorizeUrl, clientId, field }
}

/** The address at which a person is asked. */
export function permissionAddress(
  oauth: Permittable,
  scope: Scope,
  { redirectUri, verifier, state }: Permission & { readonly state: string }
): URL {
  const url = addressOf(oauth.authorizeUrl, scope)
  const scopes = optional(oauth.scopes, scope)
  const asked = {
    response_type: 'code',
    client_id: required(oauth.clientId, scope),
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(scopes !== undefined && { scope: scopes })
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  return url
}

/** The refresh token that a service gives for the code that a person came back with. */
export async function refreshTokenFor(
  code: string,
  { redirectUri, verifier }: Permission,
  oauth: Permittable,
  scope: Scope,
  { send, clock, signal }: Pick<SignNeeds, 'send' | 'clock'> & { readonly signal: AbortSignal }
): Promise<string> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
  const answer = await send(clientRequest(oauth, scope, form), signal)
  accessTokenIn(answer, clock.now(), pointersOf(oauth))
  const token = memberOf(answer.body, ['refresh_token'])
  if (typeof token === 'string' && token !== '') return token
  throw new SourceError(
    'missing_permission',
    'The service permitted it once and gave no refresh token; have it permit access while nobody is there, and try again'
  )
}
