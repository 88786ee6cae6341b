import { TokenRefused } from './index.ts'

/** A signed JWT taken apart. Nothing in it is to be believed before its signature has been proved. */
export interface CompactToken {
  readonly text: string
  readonly algorithm: string
  readonly type: string | undefined
  readonly keyId: string | undefined
  readonly claims: Readonly<Record<string, unknown>>
}

const MAX_TOKEN_CHARACTERS = 16 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Throws `TokenRefused` of check `format`. An empty signature passes here, so that `none` is refused as what it is. */
export function parseToken(text: string): CompactToken {
  if (text.length > MAX_TOKEN_CHARACTERS) {
    throw malformed(`The token is longer than ${MAX_TOKEN_CHARACTERS} characters; have the provider put less into it.`)
  }
  const parts = text.split('.', 6)
  if (parts.length === 5) throw malformed('The token is encrypted (JWE); have the provider issue signed tokens only.')
  if (parts.length !== 3 || !parts.every(isCanonicalBase64url)) {
    throw malformed('The token is not a JWT (three base64url parts joined by dots); send it exactly as it was issued.')
  }
  const header = decodeObject(parts[0] as string, 'header')
  const claims = decodeObject(parts[1] as string, 'payload')
  const { alg, typ, kid } = header
  if (typeof alg !== 'string' || !isTextOrAbsent(typ) || !isTextOrAbsent(kid)) {
    throw malformed('The token header must hold alg, and alg, typ and kid must be text; get a token from the provider.')
  }
  // Whatever a header declares critical must be understood or the token refused, and no extension is understood here.
  // Keys that a header brings along (jwk, jku, x5c, x5u) are never looked at: a forger would bring a matching one.
  if ('crit' in header) throw malformed('The token header declares critical extensions (crit); none is supported.')
  return { text, algorithm: alg, type: typ, keyId: kid, claims }
}

/** The last character may hold unused bits: without this, several texts would pass as the same signature. */
function isCanonicalBase64url(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part
}

function decodeObject(part: string, where: 'header' | 'payload'): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(Buffer.from(part, 'base64url')))
  } catch {
    value = undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed(`The token ${where} is not a JSON object; send the token exactly as it was issued.`)
  }
  return value as Record<string, unknown>
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

function malformed(message: string): TokenRefused {
  return new TokenRefused('format', message)
}
