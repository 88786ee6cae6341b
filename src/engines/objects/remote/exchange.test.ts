import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { eventually } from '../../../../test/support/eventually.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import { guardedAgents } from '../../outbound/agent.ts'
import { createOutbound } from '../../outbound/index.ts'
import { serve, serveTcp } from '../../outbound/testing/servers.ts'
import { exchange } from './exchange.ts'
import { BodyFailed, LostConnection } from './network-errors.ts'

const GET = { method: 'GET', path: '/', headers: {} }
const PUT = { ...GET, method: 'PUT' }
const limits = { connectMs: 10_000, silenceMs: 200 }
const TIMEOUT = { name: 'OutboundError', code: 'timeout' }

function makeAgents(t: TestContext) {
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  const agents = guardedAgents(outbound, { maxSockets: 4 })
  t.after(async () => {
    agents.close()
    await outbound.close()
  })
  return agents
}

const at = (port: number, secure = false) => ({ secure, host: '127.0.0.1', port })

/** Waits until nothing has moved on this connection for as long as is allowed. */
const silence = (socket: Socket) => once(socket, 'timeout')

test('a server that says nothing is given up', async (t) => {
  const { port } = await serve(t, () => {})
  await assert.rejects(exchange(at(port), GET, { agents: makeAgents(t), limits }), TIMEOUT)
})

test('a server that stops half way through its answer is given up, however the answer is read', async (t) => {
  const { port } = await serve(t, (_request, response) => response.write('half'))
  const agents = makeAgents(t)
  const loop = async (answer: AsyncIterable<Buffer>) => {
    for await (const chunk of answer) assert.equal(chunk.toString(), 'half')
  }
  for (const read of [buffer, loop]) {
    await assert.rejects(read(await exchange(at(port), GET, { agents, limits })), TIMEOUT)
  }
})

test('a reader may pause longer than the limit, again and again, and the server may still not', async (t) => {
  const piece = Buffer.alloc(200_000)
  let goOn = () => {}
  const { port } = await serve(t, (_request, response) => {
    response.write(piece)
    goOn = () => response.write(piece)
  })
  const answer = await exchange(at(port), GET, { agents: makeAgents(t), limits })
  let received = 0
  const readPiece = async (upTo: number) => {
    while (received < upTo) {
      const chunk: Buffer | null = answer.read()
      if (chunk === null) await once(answer, 'readable')
      else received += chunk.length
    }
  }
  await once(answer, 'readable')
  for (let pauses = 0; pauses < 2; pauses++) await silence(answer.socket)
  await readPiece(piece.length)
  goOn()
  await once(answer, 'readable')
  for (let pauses = 0; pauses < 2; pauses++) await silence(answer.socket)
  await readPiece(2 * piece.length)
  await assert.rejects(once(answer, 'readable'), TIMEOUT)
})

test('a sender may pause longer than the limit, and the server that has all of it may not', async (t) => {
  const { port } = await serve(t, async (request, response) => {
    const content = await buffer(request)
    if (content.toString() === 'first second') response.end('both')
  })
  const agents = makeAgents(t)
  async function* slow(last: string) {
    yield Buffer.from('first ')
    const socket = await eventually(() => Object.values(agents.http.sockets)[0]?.[0] ?? false)
    for (let pauses = 0; pauses < 2; pauses++) await silence(socket as Socket)
    yield Buffer.from(last)
  }
  const answer = await exchange(at(port), { ...PUT, body: slow('second') }, { agents, limits })
  assert.equal((await buffer(answer)).toString(), 'both')
  await assert.rejects(exchange(at(port), { ...PUT, body: slow('other') }, { agents, limits }), TIMEOUT)
})

test('an answer that is complete may wait for its reader, even if it is empty', async (t) => {
  const { port } = await serve(t, (_request, response) => response.end())
  const answer = await exchange(at(port), GET, { agents: makeAgents(t), limits })
  await silence(answer.socket)
  assert.equal((await buffer(answer)).length, 0)
})

test('a connection that does not come about in 10 seconds is given up', async (t) => {
  const { port, sockets } = await serveTcp(t, () => {})
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const answer = assert.rejects(exchange(at(port, true), GET, { agents: makeAgents(t) }), TIMEOUT)
  while (sockets.size === 0) await setImmediate()
  t.mock.timers.tick(10_000)
  await answer
})

test('a connection that is used again keeps nothing of the request before', async (t) => {
  const { port } = await serve(t, (_request, response) => response.end('ok'))
  const agents = makeAgents(t)
  const kept: string[] = []
  for (let i = 0; i < 3; i++) {
    await buffer(await exchange(at(port), GET, { agents, limits }))
    const free = await eventually(() => Object.values(agents.http.freeSockets)[0]?.[0] ?? false)
    kept.push(`${(free as Socket).listenerCount('timeout')} ${(free as Socket).timeout}`)
  }
  assert.equal(new Set(kept).size, 1, String(kept))
})

test('what fails before the answer is told apart', async (t) => {
  const agents = makeAgents(t)
  const plain = await serve(t, (_request, response) => response.end())
  const rude = await serveTcp(t, (socket) => socket.once('data', () => socket.destroy()))
  const other = await serveTcp(t, (socket) => socket.once('data', () => socket.end('SSH-2.0\r\n')))
  const send = (port: number, secure = false) => exchange(at(port, secure), GET, { agents })
  await assert.rejects(send(await freePort()), { code: 'connection_refused' })
  await assert.rejects(send(plain.port, true), { code: 'tls', message: /speaks HTTPS/ })
  await assert.rejects(send(rude.port, true), { code: 'tls', message: /speaks HTTPS/ })
  await assert.rejects(send(other.port), { code: 'protocol', message: /valid HTTP/ })
  await assert.rejects(send(rude.port), LostConnection)
  const signal = AbortSignal.abort()
  await assert.rejects(exchange(at(plain.port), GET, { agents, signal }), { name: 'AbortError' })
})

test('an error of the source stays what it is, even one of its network', async (t) => {
  const { port } = await serve(t, (request) => request.resume())
  const gone = Object.assign(new Error('the sender is gone'), { code: 'ECONNRESET' })
  async function* failing() {
    yield Buffer.alloc(100_000)
    throw gone
  }
  const sent = exchange(at(port), { ...PUT, body: failing() }, { agents: makeAgents(t) })
  await assert.rejects(sent, (error) => error instanceof BodyFailed && error.cause === gone)
})
