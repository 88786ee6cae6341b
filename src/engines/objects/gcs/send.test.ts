import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { eventually } from '../../../../test/support/eventually.ts'
import { guardedAgents } from '../../outbound/agent.ts'
import { createOutbound } from '../../outbound/index.ts'
import { serve, serveTcp } from '../../outbound/testing/servers.ts'
import { send } from './send.ts'

function makeAgents(t: TestContext) {
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  const agents = guardedAgents(outbound, { maxSockets: 4 })
  t.after(async () => {
    agents.close()
    await outbound.close()
  })
  const socket = () => Object.values(agents.http.sockets)[0]?.[0]
  /** As when nothing has moved on the connection for as long as is allowed. */
  const fallSilent = async () => {
    const open: Socket = await eventually(() => {
      const found = socket()
      assert.equal(found?.readyState, 'open')
      return found as Socket
    })
    await setImmediate()
    open.emit('timeout')
  }
  return { agents, fallSilent }
}

const at = (port: number, secure = false) => ({ secure, host: '127.0.0.1', port })

test('a server that says nothing is given up', async (t) => {
  const { port } = await serve(t, () => {})
  const { agents, fallSilent } = makeAgents(t)
  const answer = send(at(port), { method: 'GET', path: '/' }, agents)
  const given = assert.rejects(answer, { code: 'ETIMEDOUT' })
  await fallSilent()
  await given
})

test('a server that stops half way through its answer is given up', async (t) => {
  const { port } = await serve(t, (_request, response) => response.write('half'))
  const { agents, fallSilent } = makeAgents(t)
  const answer = await send(at(port), { method: 'GET', path: '/' }, agents)
  await once(answer, 'readable')
  const read = assert.rejects(buffer(answer), { code: 'ETIMEDOUT' })
  await fallSilent()
  await read
})

test('a sender or a reader that takes its time is not the server’s silence', async (t) => {
  const { port } = await serve(t, async (request, response) => {
    response.write(await buffer(request))
    response.end(Buffer.alloc(5_000_000))
  })
  const { agents, fallSilent } = makeAgents(t)
  const { promise, resolve } = Promise.withResolvers<void>()
  async function* slow() {
    yield Buffer.from('first ')
    await promise
    yield Buffer.from('second')
  }
  const sent = send(at(port), { method: 'PUT', path: '/', body: slow() }, agents)
  await fallSilent()
  resolve()
  const answer = await sent
  await once(answer, 'readable')
  await fallSilent()
  const content = await buffer(answer)
  assert.equal(content.length, 12 + 5_000_000)
  assert.equal(content.toString('utf8', 0, 12), 'first second')
})

test('a connection that does not come about in 10 seconds is given up', async (t) => {
  const { port, sockets } = await serveTcp(t, () => {})
  const { agents } = makeAgents(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const answer = assert.rejects(send(at(port, true), { method: 'GET', path: '/' }, agents), { code: 'ETIMEDOUT' })
  while (sockets.size === 0) await setImmediate()
  t.mock.timers.tick(10_000)
  await answer
})

test('a connection that is used again keeps nothing of the request before', async (t) => {
  const { port } = await serve(t, (_request, response) => response.end('ok'))
  const { agents } = makeAgents(t)
  const listeners: (number | undefined)[] = []
  for (let i = 0; i < 3; i++) {
    await buffer(await send(at(port), { method: 'GET', path: '/' }, agents))
    const free = await eventually(() => Object.values(agents.http.freeSockets)[0]?.[0] ?? false)
    listeners.push((free as Socket).listenerCount('timeout'))
  }
  assert.equal(new Set(listeners).size, 1, String(listeners))
})
