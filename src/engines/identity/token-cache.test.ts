import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import type { VerifiedToken } from './index.ts'
import { createTokenCache } from './token-cache.ts'

function verified(expiresAtMs: number): VerifiedToken {
  return { issuer: 'i', subject: 's', name: undefined, email: undefined, roles: [], expiresAtMs, keyId: 'k' }
}

test('holds 10,000 tokens; the one that came first makes room', () => {
  const clock = new ManualClock()
  const cache = createTokenCache(clock)
  const entry = verified(clock.now() + 60_000)
  for (let n = 0; n < 10_000; n += 1) cache.set(`token-${n}`, entry)
  assert.equal(cache.get('token-0'), entry)
  cache.set('token-10000', entry)
  assert.equal(cache.get('token-0'), undefined)
  assert.equal(cache.get('token-1'), entry)
  cache.set('token-10000', entry)
  assert.equal(cache.get('token-1'), entry, 'the same token again takes no further room')
  cache.clear()
  assert.equal(cache.get('token-1'), undefined)
})

test('answers nothing past expiry and leeway, not even to a clock that was set back since', () => {
  const clock = new ManualClock()
  const cache = createTokenCache(clock)
  cache.set('token', verified(clock.now() + 1_000))
  clock.advance(30_999)
  assert.ok(cache.get('token'))
  clock.advance(1)
  assert.equal(cache.get('token'), undefined)
  clock.advance(-10_000)
  assert.equal(cache.get('token'), undefined)
})
