import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import type { IPublishPacket } from 'mqtt'
import { Arrivals } from './arrivals.ts'

const LISTEN_MS = 200

describe('what arrives from a broker', () => {
  const ask = mock.fn()
  let arrivals: Arrivals

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] })
    ask.mock.resetCalls()
    arrivals = new Arrivals(LISTEN_MS, ask)
    arrivals.listen()
  })
  afterEach(() => mock.timers.reset())

  it('is not over because it was quiet, but once the broker has answered behind it', async () => {
    put('a')
    mock.timers.tick(LISTEN_MS)
    assert.equal(ask.mock.callCount(), 1)
    put('b')
    assert.deepEqual(await topics(), ['a', 'b'])
    arrivals.answered()
    put('c')
    assert.deepEqual(await topics(), ['c'], 'something retained came before the answer')
    mock.timers.tick(LISTEN_MS)
    assert.equal(ask.mock.callCount(), 2)
    arrivals.answered()
    assert.equal(await topics(), undefined)
  })

  it('is not prolonged by what is not retained, and an answer to nothing ends nothing', async () => {
    arrivals.answered()
    put('a')
    mock.timers.tick(LISTEN_MS - 1)
    put('live', { retain: false })
    mock.timers.tick(1)
    arrivals.answered()
    assert.deepEqual(await topics(), ['a', 'live'])
    assert.equal(await topics(), undefined)
  })

  it('is not read on while a thousand wait', async () => {
    const done = mock.fn()
    for (let i = 0; i < 999; i++) put(String(i), { done })
    put('full', { done })
    assert.equal(done.mock.callCount(), 999)
    assert.equal((await topics())?.length, 1000)
    assert.equal(done.mock.callCount(), 1000)
    arrivals.stop()
  })

  function put(topic: string, { retain = true, done = () => {} } = {}): void {
    const packet = { cmd: 'publish', topic, payload: Buffer.from('x'), qos: 0, dup: false, retain } as IPublishPacket
    arrivals.put(packet, done)
  }

  async function topics(): Promise<string[] | undefined> {
    return (await arrivals.take())?.map(({ topic }) => topic)
  }
})
