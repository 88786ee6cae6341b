import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose/jwt/sign'
import type { Authentication } from '../entry.ts'
import type { Outgoing, Signer } from '../outgoing.ts'
import type { Scope } from '../template/template.ts'
import { addressOf, hostNames } from './address.ts'
import type { SignNeeds } from './needs.ts'
import { withHeader } from './request.ts'
import { badKey, serviceKeyOf } from './service-key.ts'
import { accessTokenIn } from './token-answer.ts'
import { ownTokens } from './token-cache.ts'
import { tokenSigner } from './token-signer.ts'
import { optional, pointerOf, required } from './values.ts'

type Jwt = Extract<Authentication, { kind: 'jwt' }>

/** A statement is good for this long, and from a little earlier on: clocks differ. */
const LIFE_S = 270
const EARLIER_S = 30

/** A service account: a signed statement is exchanged for a token. */
export function jwtSigner(jwt: Jwt, scope: Scope, needs: SignNeeds): Signer {
  const { clock, send, cache = ownTokens } = needs
  return tokenSigner({
    clock,
    account: () => cache.accountOf([jwt, scope]),
    async ask(_account, signal) {
      const nowMs = clock.now()
      const answer = await send(await exchange(jwt, scope, Math.floor(nowMs / 1000)), signal)
      const client = pointerOf(jwt.key)
      const address = pointerOf(undefined, hostNames(jwt.tokenUrl)[0])
      return accessTokenIn(answer, nowMs, { client, grant: client, scopes: pointerOf(jwt.scopes), address })
    },
    put: (request, token) => withHeader(request, 'authorization', `Bearer ${token}`)
  })
}

async function exchange(jwt: Jwt, scope: Scope, nowS: number): Promise<Outgoing> {
  const url = addressOf(jwt.tokenUrl, scope)
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: await statement(jwt, scope, url, nowS)
  }
  return { method: 'POST', url, headers: { accept: 'application/json' }, body: { form } }
}

async function statement(jwt: Jwt, given: Scope, url: URL, nowS: number): Promise<string> {
  const { algorithm = 'RS256' } = jwt
  const { key, account } = serviceKeyOf(required(jwt.key, given), algorithm, pointerOf(jwt.key))
  const scope = { ...given, account }
  const scopes = optional(jwt.scopes, scope)
  const keyId = optional(jwt.keyId, scope)
  const subject = optional(jwt.subject, scope)
  const signing = new SignJWT(scopes === undefined ? {} : { scope: scopes })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(issuerOf(jwt, scope))
    .setAudience(optional(jwt.audience, scope) ?? url.href)
    .setJti(randomUUID())
    .setIssuedAt(nowS - EARLIER_S)
    .setExpirationTime(nowS + LIFE_S)
  if (subject !== undefined) signing.setSubject(subject)
  return signing.sign(key).catch(() => {
    throw badKey(`It is no key for ${algorithm}; give one of the right kind`, pointerOf(jwt.key))
  })
}

function issuerOf(jwt: Jwt, scope: Scope): string {
  const issuer = optional(jwt.issuer, scope)
  if (issuer !== undefined) return issuer
  if (!jwt.issuer.includes('{account.')) return required(jwt.issuer, scope)
  throw badKey('It does not say whose it is; give the JSON of a service account, whole', pointerOf(jwt.key))
}
