import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { Problem } from '../../../errors.ts'
import { Kept } from './kept.ts'

/** Reads that a test ends when it likes. */
function world(maxBytes = 1000) {
  const clock = new ManualClock()
  const kept = new Kept<string>({ clock, maxBytes, sizeOf: (text) => text.length })
  const reads: { signal: AbortSignal; resolve(text: string): void; reject(error: unknown): void }[] = []
  const ask = (key: string, keepMs = 5000, signal = new AbortController().signal) =>
    askAs({ signal, isLate: false }, key, keepMs)
  const askAs = (asker: { signal: AbortSignal; isLate: boolean }, key = 'a', keepMs = 0) =>
    kept.ask(key, keepMs, asker, (leaving) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      reads.push({ signal: leaving, resolve, reject })
      return promise
    })
  return { clock, reads, ask, askAs }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('answers that are kept', () => {
  it('are read once for all who ask at once, and for as long as said', async () => {
    const { clock, reads, ask } = world()
    const all = Array.from({ length: 1000 }, () => ask('a'))
    await turn()
    reads[0]?.resolve('first')
    for (const answer of await Promise.all(all)) assert.equal(answer.value, 'first')
    clock.advance(4999)
    assert.equal((await ask('a')).readAtMs, clock.now() - 4999)
    assert.equal(reads.length, 1)
    clock.advance(1)
    // The next one is read once, and nobody waits for it.
    for (let times = 0; times < 3; times++) assert.equal((await ask('a')).value, 'first')
    await turn()
    assert.equal(reads.length, 2)
    reads[1]?.resolve('second')
    await turn()
    assert.equal((await ask('a')).value, 'second')
  })

  it('are given on while the next one is read for half as long again at most', async () => {
    const { clock, reads, ask } = world()
    const first = ask('a')
    await turn()
    reads[0]?.resolve('first')
    await first
    clock.advance(5000 + 2499)
    assert.equal((await ask('a')).value, 'first')
    clock.advance(1)
    const next = ask('a')
    await turn()
    assert.equal(reads.length, 2)
    reads[1]?.resolve('second')
    assert.equal((await next).value, 'second')
  })

  it('are failures for as long as these took', async () => {
    const { clock, reads, ask } = world()
    const slow = ask('a')
    await turn()
    clock.advance(3000)
    reads[0]?.reject(new Error('too slow'))
    await assert.rejects(slow, /too slow/)
    clock.advance(2999)
    await assert.rejects(ask('a'), /too slow/)
    assert.equal(reads.length, 1)
    clock.advance(1)
    const next = ask('a')
    await turn()
    reads[1]?.resolve('second')
    assert.equal((await next).value, 'second')
  })

  it('are no older than the beginning of their reading', async () => {
    const { clock, reads, ask } = world()
    const slow = ask('a')
    await turn()
    clock.advance(4000)
    reads[0]?.resolve('slow')
    await slow
    clock.advance(1000)
    void ask('a')
    await turn()
    assert.equal(reads.length, 2)
  })

  it('are not kept beyond the reading where nothing says how long', async () => {
    const { reads, ask } = world()
    const both = [ask('a', 0), ask('a', 0)]
    await turn()
    reads[0]?.resolve('x')
    await Promise.all(both)
    void ask('a', 0)
    await turn()
    assert.equal(reads.length, 2)
  })

  it('go on while anybody waits, and end with the last who leaves', async () => {
    const { reads, ask } = world()
    const [one, two] = [new AbortController(), new AbortController()]
    const first = ask('a', 5000, one.signal)
    const second = ask('a', 5000, two.signal)
    await turn()
    one.abort(new Error('gone'))
    await assert.rejects(first, /gone/)
    assert.equal(reads[0]?.signal.aborted, false)
    two.abort(new Error('gone too'))
    await assert.rejects(second, /gone too/)
    assert.equal(reads[0]?.signal.aborted, true)
    reads[0]?.reject(new Error('ended'))
    const third = ask('a')
    await turn()
    reads[1]?.resolve('anew')
    assert.equal((await third).value, 'anew')
  })

  it('may be failures, for a second; those of a busy server are not kept at all', async () => {
    const { clock, reads, ask } = world()
    const failed = ask('a')
    await turn()
    reads[0]?.reject(new Problem('unprocessable', { detail: 'no' }))
    await assert.rejects(failed, /no/)
    clock.advance(999)
    await assert.rejects(ask('a'), /no/)
    clock.advance(1)
    const busy = ask('a')
    await turn()
    reads[1]?.reject(new Problem('overloaded'))
    await assert.rejects(busy)
    void ask('a')
    await turn()
    assert.equal(reads.length, 3)
  })

  it('are kept for those who were told to come back, once for each of them', async () => {
    const { clock, reads, ask, askAs } = world()
    const someone = () => ({ signal: new AbortController().signal, isLate: false })
    const [one, two] = [someone(), someone()]
    const both = [askAs(one), askAs(two)]
    await turn()
    for (const asker of [one, two]) asker.isLate = true
    clock.advance(25_000)
    reads[0]?.resolve('slow')
    await Promise.all(both)
    clock.advance(29_999)
    for (let times = 0; times < 2; times++) assert.equal((await ask('a', 0)).value, 'slow')
    assert.equal(reads.length, 1)
    void ask('a', 0)
    await turn()
    assert.equal(reads.length, 2)
  })

  it('are kept for those only so long, failures too', async () => {
    const { clock, reads, ask, askAs } = world()
    for (const [key, waitsMs] of Object.entries({ a: 29_999, b: 30_000 })) {
      const asked = askAs({ signal: new AbortController().signal, isLate: true }, key)
      await turn()
      reads.at(-1)?.reject(new Error(`${key} is too slow`))
      await assert.rejects(asked, /too slow/)
      clock.advance(waitsMs)
      if (key === 'a') await assert.rejects(ask(key, 0), /a is too slow/)
      else void ask(key, 0)
      await turn()
    }
    assert.equal(reads.length, 3)
  })

  it('make room for others, those first that nobody has asked for the longest', async () => {
    const { reads, ask } = world(30)
    for (const [at, key] of ['a', 'b', 'c'].entries()) {
      const asked = ask(key)
      await turn()
      reads[at]?.resolve('x'.repeat(10))
      await asked
    }
    await ask('a')
    const fourth = ask('d')
    await turn()
    reads[3]?.resolve('x'.repeat(10))
    await fourth
    await ask('a')
    void ask('b')
    await turn()
    assert.equal(reads.length, 5)
  })
})
