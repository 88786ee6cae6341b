import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { LookupCache } from './lookup-cache.ts'

function setUp() {
  const clock = new ManualClock()
  const looks: PromiseWithResolvers<number>[] = []
  const reported: unknown[] = []
  const find = () => {
    const look = Promise.withResolvers<number>()
    looks.push(look)
    return look.promise
  }
  const report = (error: unknown) => void reported.push(error)
  return { clock, looks, reported, remembered: new LookupCache({ clock, everyMs: 30_000, waitMs: 1000, find, report }) }
}

describe('what is remembered', () => {
  it('is waited for by the first, for a moment, and looked for once', async () => {
    const { clock, looks, remembered } = setUp()
    const first = [remembered.get(), remembered.get()]
    assert.equal(looks.length, 1)
    clock.advance(1000)
    assert.deepEqual(await Promise.all(first), [undefined, undefined])
    const later = remembered.get()
    looks[0]?.resolve(7)
    assert.equal(await later, 7)
    clock.advance(29_999)
    assert.equal(await remembered.get(), 7)
    assert.equal(looks.length, 1)
  })

  it('is looked for again in the background when it is old', async () => {
    const { clock, looks, remembered } = setUp()
    const first = remembered.get()
    looks[0]?.resolve(1)
    assert.equal(await first, 1)
    clock.advance(30_000)
    assert.equal(await remembered.get(), 1)
    assert.equal(looks.length, 2)
    looks[1]?.resolve(2)
    await turn()
    assert.equal(await remembered.get(), 2)
  })

  it('is not told any more once a look has failed', async () => {
    const { clock, looks, reported, remembered } = setUp()
    const first = remembered.get()
    looks[0]?.resolve(1)
    await first
    clock.advance(30_000)
    await remembered.get()
    looks[1]?.reject(new Error('away'))
    await turn()
    assert.equal(await remembered.get(), undefined)
    assert.equal(reported.length, 1)
  })
})
