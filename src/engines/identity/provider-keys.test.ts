import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { makeSigningKey } from '../../../test/support/oidc-provider.ts'
import { type KeySet, readKeySet } from './key-set.ts'
import { createProviderKeys } from './provider-keys.ts'

let one: KeySet
let two: KeySet

before(async () => {
  one = await readKeySet({ keys: [(await makeSigningKey('EdDSA')).publicJwk] })
  two = await readKeySet({ keys: [(await makeSigningKey('EdDSA')).publicJwk] })
})

function setup(first: KeySet | Error = one) {
  const clock = new ManualClock()
  const provider = { answer: first, loads: 0, withdrawals: 0 }
  const keys = createProviderKeys({
    async load() {
      provider.loads += 1
      if (provider.answer instanceof Error) throw provider.answer
      return provider.answer
    },
    onWithdrawn: () => {
      provider.withdrawals += 1
    },
    clock
  })
  return { clock, keys, provider }
}

test('all who need keys at once share one request', async () => {
  const { keys, provider } = setup()
  assert.equal(keys.held(), undefined)
  const sets = await Promise.all([keys.fetch(), keys.fetch(), keys.check()])
  assert.deepEqual([sets[0], sets[1], keys.held()], [one, one, one])
  assert.equal(provider.loads, 1)
})

test('aged keys serve while they are renewed, once', async () => {
  const { clock, keys, provider } = setup()
  await keys.fetch()
  clock.advance(10 * 60_000)
  provider.answer = two
  assert.deepEqual([keys.held(), keys.held()], [one, one])
  await keys.check()
  assert.equal(keys.held(), two)
  assert.equal(provider.loads, 2)
})

test('while the provider is down it is asked every 30 s at most, by whatever need', async () => {
  const { clock, keys, provider } = setup()
  await keys.fetch()
  provider.answer = new Error('down')
  clock.advance(10 * 60_000)
  for (let second = 0; second < 90; second += 1) {
    keys.held()
    await keys.newer(one)
    await keys.check().catch(() => undefined)
    clock.advance(1_000)
  }
  assert.equal(provider.loads, 4)
  assert.equal(keys.held(), one)
})

test('an age that ran out does not hold back a token that names a new key, nor the other way round', async () => {
  const { clock, keys, provider } = setup()
  await keys.fetch()
  assert.equal(await keys.newer(one), undefined)
  clock.advance(10 * 60_000)
  keys.held()
  provider.answer = two
  await keys.check()
  assert.equal(await keys.newer(one), two)
})

test('the same keys, in any order, stay the same object; only a lost or changed key counts as withdrawn', async () => {
  const { clock, keys, provider } = setup()
  const ask = async (answer: KeySet) => {
    provider.answer = answer
    clock.advance(10 * 60_000)
    await keys.check()
    return keys.held()
  }
  const both = [...one, ...two]
  await keys.fetch()
  assert.equal(await ask([...one]), one)
  assert.equal(await ask(both), both)
  assert.equal(await ask(both.toReversed()), both)
  assert.equal(provider.withdrawals, 0)
  assert.equal(await ask(two), two)
  assert.equal(provider.withdrawals, 1)
  const reserved = two.map((key) => ({ ...key, algorithm: 'Ed25519' }))
  assert.equal(await ask(reserved), reserved)
  assert.equal(provider.withdrawals, 2)
})

test('a clock set back by a day stops neither renewal nor asking', async () => {
  const { clock, keys, provider } = setup(new Error('down'))
  await assert.rejects(keys.fetch(), { check: 'provider' })
  clock.correct(-86_400_000)
  clock.advance(30_000)
  provider.answer = one
  assert.equal(await keys.fetch(), one)
  clock.correct(-86_400_000)
  clock.advance(600_000)
  provider.answer = two
  await keys.check()
  assert.equal(keys.held(), two)
})

test('asks nothing more once closed', async () => {
  const { keys } = setup()
  const signals: AbortSignal[] = []
  const closing = createProviderKeys({
    load(signal) {
      signals.push(signal)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
    onWithdrawn: () => undefined,
    clock: new ManualClock()
  })
  const waiting = assert.rejects(closing.fetch(), { check: 'provider' })
  await closing.close()
  await waiting
  assert.ok(signals.every(({ aborted }) => aborted))
  await keys.close()
})
