import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { makeSigningKey, signToken } from '../../../test/support/oidc-provider.ts'
import { readKeySet } from './key-set.ts'
import { createVerifier } from './verifier.ts'

test('does not remember a token whose key was withdrawn while it was being verified', async () => {
  const clock = new ManualClock()
  const key = await makeSigningKey('EdDSA')
  const set = await readKeySet({ keys: [key.publicJwk] })
  const replaced = await readKeySet({ keys: [(await makeSigningKey('EdDSA')).publicJwk] })
  let held = set
  const keys = { held: () => held, fetch: async () => held, newer: async () => undefined }
  const verifier = createVerifier({ keys, expected: { issuer: 'i', audience: 'a' }, clock })
  const token = await signToken(key, { iss: 'i', aud: 'a', sub: 's', exp: clock.now() / 1000 + 60 })

  const verification = verifier.verify(token)
  held = replaced
  verifier.forget()
  await verification
  assert.equal(verifier.known(token), undefined)
  await assert.rejects(verifier.verify(token), { check: 'key' })
})
