import assert from 'node:assert/strict'
import { base64url } from 'jose'
import type { ManualClock } from '../../../../test/support/manual-clock.ts'
import { type SigningKey, signToken } from '../../../../test/support/oidc-provider.ts'
import { type CheckName, type Identity, TokenRefused } from '../index.ts'

/** An implementation under test, with the key it trusts: the suite signs what no issuer would. */
export interface Subject {
  readonly identity: Identity
  readonly issuer: string
  readonly audience: string
  readonly key: SigningKey
  readonly clock: ManualClock
}

export type Claims = Record<string, unknown>

export async function refused(identity: Identity, token: string, check: CheckName): Promise<TokenRefused> {
  const error = await identity.verify(token).then(
    () => assert.fail(`accepted a token that should fail at ${check}`),
    (reason: unknown) => reason
  )
  assert.ok(error instanceof TokenRefused, String(error))
  assert.equal(error.check, check, error.message)
  assert.match(error.message, /^[ !#-~]{10,}$/, 'fits a header')
  assert.equal(identity.known(token), undefined)
  const rows = await identity.explain(token)
  assert.equal(rows.length, 11)
  assert.equal(rows.find(({ name }) => name === check)?.ok, false, 'explained as well')
  return error
}

export function goodClaims({ issuer, audience, clock }: Subject): Claims {
  const nowS = Math.floor(clock.now() / 1000)
  return { iss: issuer, sub: 'ada', aud: audience, iat: nowS, exp: nowS + 300 }
}

export function signed(subject: Subject, claims: Claims = {}, header: Claims = {}): Promise<string> {
  return signToken(subject.key, { ...goodClaims(subject), ...claims }, header)
}

export function encode(value: unknown): string {
  return encodeText(JSON.stringify(value))
}

export function encodeText(text: string): string {
  return base64url.encode(text)
}
