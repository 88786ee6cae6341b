// Once: no database. One stream of a service answers to nobody.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock } from '../../clock.ts'
import { createOutbound } from '../../outbound/index.ts'
import { Caller } from './caller.ts'
import { discovered } from './discovery.ts'
import type { Signer } from './outgoing.ts'
import { Requests } from './requests.ts'
import { Simulator } from './testing/simulator.ts'
import { entryOf } from './testing/world.ts'

describe('discovering a service', () => {
  it('does not wait long for a stream that does not answer, and says so', async () => {
    const streamOf = (path: string) => ({ path, records: 'data', key: 'id' })
    const names = ['a', 'silent', 'b', 'c', 'd', 'e', 'f', 'g', 'empty']
    const entry = entryOf(Object.fromEntries(names.map((name) => [name, streamOf(`/${name}`)])))
    // Its time is over when all others have been asked: none of them has to wait for it.
    const time = new AbortController()
    const signal = new AbortController().signal
    const answered = (number: number) => {
      if (number === names.length - 1) time.abort(new DOMException('no time', 'TimeoutError'))
    }
    const simulator = new Simulator(
      names.map((name) => ({ stream: streamOf(`/${name}`), records: name === 'empty' ? [] : [{ id: 1, name }] })),
      { answered, faultOf: ({ url }) => (url.pathname === '/silent' ? 'silent' : undefined) }
    )
    const origin = new URL(await simulator.start())
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    const signer: Signer = { sign: async (request) => request, renew: () => false }
    const caller = new Caller({ outbound, clock: systemClock, signer, budget: undefined, secretPointer: '' })
    try {
      const scope = { token: 'x' }
      const needs = { caller, requests: new Requests(entry, scope, origin), scope, nowMs: 0 }
      const timeFor = (stream: string) => (stream === 'silent' ? time.signal : signal)
      const { streams } = await discovered(entry, 100, { ...needs, signal }, timeFor)
      const told = Object.fromEntries(streams.map(({ name, columns, note }) => [name, [columns.length, note]]))
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) assert.deepEqual(told[name], [3, undefined])
      assert.deepEqual(told.empty, [2, 'Its columns are not known: it has no records now'])
      assert.match(String(told.silent?.[1]), /did not answer in the time/)
    } finally {
      caller.close()
      simulator.stop()
      await outbound.close()
    }
  })
})
