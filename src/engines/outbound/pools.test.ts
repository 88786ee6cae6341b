import assert from 'node:assert/strict'
import { test } from 'node:test'
import ipaddr from 'ipaddr.js'
import { eventually } from '../../../test/support/eventually.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { Deadline } from './deadline.ts'
import { MAX_POOLS, Pools } from './pools.ts'
import { parseTarget } from './target.ts'
import { serve } from './testing/servers.ts'

const loopback = ipaddr.IPv4.parse('127.0.0.1')

test('the number of kept pools is bounded, and one that is let go finishes its call first', async (t) => {
  const held = Promise.withResolvers<void>()
  const { port } = await serve(t, async (request, response) => {
    response.write('first,')
    if (request.url === '/held') await held.promise
    response.end('last')
  })
  const clock = new ManualClock()
  const pools = new Pools(clock)
  t.after(() => pools.close())
  const call = (name: string, path: string) => {
    const target = parseTarget(`http://${name}.example:${port}${path}`)
    const deadline = new Deadline(clock, { timeoutMs: 1000, where: target.where }, new Set())
    return pools.request({ target, address: loopback }, { method: 'GET' }, deadline)
  }

  const oldest = await call('oldest', '/held')
  for (let index = 0; index < MAX_POOLS + 5; index++) await (await call(`host-${index}`, '/')).body.text()
  assert.equal(pools.size, MAX_POOLS)
  held.resolve()
  assert.equal(await oldest.body.text(), 'first,last')
})

test('a pool whose calls all failed is not kept', async (t) => {
  const { port } = await serve(t, (request) => request.socket.destroy())
  const pools = new Pools(new ManualClock())
  t.after(() => pools.close())
  const target = parseTarget(`http://a.example:${port}/`)
  const deadline = new Deadline(new ManualClock(), { timeoutMs: 1000, where: target.where }, new Set())
  await assert.rejects(pools.request({ target, address: loopback }, { method: 'GET' }, deadline))
  await eventually(() => pools.size === 0)
})
