import { createHmac, randomBytes } from 'node:crypto'
import type { Authentication } from '../entry.ts'
import type { Outgoing, Signer } from '../outgoing.ts'
import type { Scope } from '../template/template.ts'
import { fixedSigner } from './fixed.ts'
import type { SignNeeds } from './needs.ts'
import { percentEncoded, withHeader } from './request.ts'
import { headerText, optional, required } from './values.ts'

type OAuth1 = Extract<Authentication, { kind: 'oauth1' }>
type Pair = readonly [name: string, value: string]

/** OAuth 1.0a (RFC 5849): a signature over the request with the secrets of a client and of a token. */
export const oauth1Signer = (oauth1: OAuth1, scope: Scope, { clock }: Pick<SignNeeds, 'clock'>): Signer =>
  fixedSigner((request) => {
    const seconds = Math.floor(clock.now() / 1000)
    return withOAuth1(request, oauth1, scope, { seconds, nonce: randomBytes(16).toString('hex') })
  })

/** The request with its signature, for a moment and a text that is used once. */
export function withOAuth1(
  request: Outgoing,
  oauth1: OAuth1,
  scope: Scope,
  { seconds, nonce }: { readonly seconds: number; readonly nonce: string }
): Outgoing {
  const { algorithm = 'sha256' } = oauth1
  const own: Pair[] = [
    ['oauth_consumer_key', headerText(oauth1.consumerKey, scope)],
    ['oauth_token', headerText(oauth1.token, scope)],
    ['oauth_signature_method', `HMAC-${algorithm.toUpperCase()}`],
    ['oauth_timestamp', String(seconds)],
    ['oauth_nonce', nonce]
  ]
  const secrets = [required(oauth1.consumerSecret, scope), required(oauth1.tokenSecret, scope)]
  const key = secrets.map(percentEncoded).join('&')
  const signature = createHmac(algorithm, key).update(baseOf(request, own)).digest('base64')
  const realm = optional(oauth1.realm, scope)
  const told = [
    ...(realm === undefined ? [] : [`realm="${percentEncoded(realm)}"`]),
    ...[...own, ['oauth_signature', signature] as const].map(([name, value]) => `${name}="${percentEncoded(value)}"`)
  ]
  return withHeader(request, 'authorization', `OAuth ${told.join(', ')}`)
}

/** What is signed: the method, the address, and all parameters in the order of their spelling. */
function baseOf({ method, url, body }: Outgoing, own: readonly Pair[]): string {
  const form = body !== undefined && 'form' in body ? Object.entries(body.form) : []
  const parameters = [...own, ...url.searchParams, ...form]
    .map(([name, value]): Pair => [percentEncoded(name), percentEncoded(value)])
    .sort(([a, b], [c, d]) => (a === c ? compared(b, d) : compared(a, c)))
    .map((pair) => pair.join('='))
    .join('&')
  return [method, url.origin + url.pathname, parameters].map(percentEncoded).join('&')
}

const compared = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
