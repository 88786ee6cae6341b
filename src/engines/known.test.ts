import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { Known } from './known.ts'

test('an answer is known from when it was asked for, for as long as whoever needs it says', async () => {
  const clock = new ManualClock()
  const known = new Known<string>(clock, 10)
  const answer = Promise.withResolvers<string>()
  const asking = known.ask('a', () => answer.promise)
  clock.advance(600)
  answer.resolve('first')
  assert.equal(await asking, 'first')
  clock.advance(399)
  assert.equal(known.get('a', 1000), 'first')
  clock.advance(1)
  assert.deepEqual([known.get('a', 1000), known.get('a', 5000)], [undefined, 'first'])
  assert.equal(await known.ask('a', async () => 'second'), 'second')
  assert.equal(known.get('a', 1000), 'second')
  known.delete('a')
  assert.equal(known.get('a', 5000), undefined)
})

test('what is to be forgotten while it is asked for is answered and not kept', async () => {
  const known = new Known<string>(new ManualClock(), 10)
  const answer = Promise.withResolvers<string>()
  const asking = known.ask('a', () => answer.promise)
  known.forget()
  answer.resolve('stale')
  assert.equal(await asking, 'stale')
  assert.equal(known.get('a', 1000), undefined)
})

test('a failure is not kept, and what came first makes room', async () => {
  const known = new Known<number>(new ManualClock(), 2)
  await assert.rejects(
    known.ask('a', () => Promise.reject(new Error('no'))),
    /no/
  )
  assert.equal(known.get('a', 1000), undefined)
  for (const n of [1, 2, 3]) await known.ask(`n${n}`, async () => n)
  assert.deepEqual(
    ['n1', 'n2', 'n3'].map((key) => known.get(key, 1000)),
    [undefined, 2, 3]
  )
})
