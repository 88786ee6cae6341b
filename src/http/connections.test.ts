import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { afterEach, describe, it } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { openSocket, parseAnswer } from '../../test/support/hostile-client.ts'
import { type BareServer, type BareServerOptions, startBareServer } from '../../test/support/hostile-server.ts'

const AS_ADA = 'Host: x\r\nAuthorization: Bearer ada\r\n'
const THING = `GET /api/things HTTP/1.1\r\n${AS_ADA}\r\n`

let server: BareServer
let taken: Socket[] = []
async function start(options?: BareServerOptions): Promise<BareServer> {
  server = await startBareServer(options)
  taken = []
  server.http.server.on('connection', (socket: Socket) => void taken.push(socket))
  return server
}
afterEach(() => server.close())

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

async function connect() {
  const before = taken.length
  const socket = openSocket(server.url)
  await eventually(() => taken.length > before)
  return socket
}

describe('connections', () => {
  it('of one address are half of all; one more is told so, and the log says what to do', async () => {
    await start({ maxConnections: 4 })
    const sockets = [await connect(), await connect()]
    const refused = parseAnswer(await (await connect()).closed)
    assert.equal(refused.status, 429)
    assert.equal(JSON.parse(refused.text).code, 'too_many_at_once')
    assert.equal(refused.headers.connection, 'close')
    assert.match(server.logged.join(''), /a connection was turned away: raise the limit of open files/)
    for (const socket of sockets) {
      socket.write(THING)
      await eventually(() => assert.deepEqual(statuses(socket.received()), [200]))
    }
    sockets[0]?.hangUp()
    await eventually(() => taken[0]?.destroyed)
    const next = await connect()
    next.write(THING)
    await eventually(() => assert.deepEqual(statuses(next.received()), [200]))
  })

  it('that were idle for longest make room for new ones, those under way never', async () => {
    const { clock, held } = await start({ maxConnections: 4 })
    const [busy, idle] = [await connect(), await connect()]
    busy.write(THING.replace('things', 'things/held'))
    await eventually(() => held.waiting === 1)
    clock.advance(1000)
    const next = await connect()
    assert.equal(await idle.closed, '')
    next.write(THING)
    await eventually(() => assert.deepEqual(statuses(next.received()), [200]))
    held.release()
    await eventually(() => assert.deepEqual(statuses(busy.received()), [200]))
  })

  it('of a proxy are not divided', async () => {
    const { clock } = await start({ maxConnections: 4, trustProxy: true })
    const sockets = [await connect(), await connect(), await connect(), await connect()]
    assert.deepEqual(statuses(await (await connect()).closed), [429])
    clock.advance(1000)
    for (const longest of sockets) {
      const next = await connect()
      assert.equal(await longest.closed, '')
      next.write(THING)
      await eventually(() => assert.deepEqual(statuses(next.received()), [200]))
    }
  })

  it('that can’t be taken are told of in the log, and end nothing', async () => {
    const { http, logged, call } = await start()
    const error = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE', syscall: 'accept' })
    http.server.emit('error', error)
    http.server.emit('error', error)
    assert.equal(logged.filter((line) => line.includes('could not be taken')).length, 1)
    assert.match(logged.join(''), /ulimit -n/)
    assert.equal((await call('GET', '/api/things')).status, 200)
  })

  it('on which many requests come at once begin one after the other, and answer all in their order', async () => {
    await start()
    await server.call('GET', '/api/things')
    const socket = await connect()
    const named = Array.from({ length: 3000 }, (_, n) => `r${n}`)
    const heldFirst = THING.replace('things', 'things/held')
    socket.write(heldFirst + named.map((name) => THING.replace('Host', `X-Request-Id: ${name}\r\nHost`)).join(''))
    await eventually(() => server.held.waiting === 1)
    // All requests of the same piece wait, and are not even parsed yet.
    assert.equal((await server.call('GET', '/api/things')).status, 200)
    assert.equal(server.logged.filter((line) => line.includes('"r0"')).length, 0)
    server.held.release()
    await eventually(() => statuses(socket.received()).length === 3001)
    assert.deepEqual([...new Set(statuses(socket.received()))], [200])
    assert.deepEqual(
      [...socket.received().matchAll(/x-request-id: (r\d+)/g)].map(([, name]) => name),
      named
    )
    socket.hangUp()
  })

  it('on which requests with bodies come at once answer nine, refuse one, and close', async () => {
    await start()
    await server.call('GET', '/api/things')
    const socket = await connect()
    const body = '{"name":"x"}'
    const post = `POST /api/things HTTP/1.1\r\n${AS_ADA}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    socket.write(THING.replace('things', 'things/held') + post.repeat(100))
    await eventually(() => server.held.waiting === 1)
    server.held.release()
    const text = await socket.closed
    assert.deepEqual(statuses(text), [200, ...Array(8).fill(400), 429])
    assert.match(text.slice(text.lastIndexOf('HTTP/1.1')), /connection: close.*too_many_at_once/is)
  })

  it('leave no doubt where a request ends, however many headers stand before its length', async () => {
    await start()
    await server.call('GET', '/api/things')
    const inside = THING.replace('things', 'inside')
    const hidden = (headers: number) =>
      `GET /api/things HTTP/1.1\r\n${AS_ADA}${'a:b\r\n'.repeat(headers)}Content-Length: ${inside.length}\r\n\r\n${inside}`
    const most = await connect()
    most.write(THING + hidden(997) + THING)
    await eventually(() => assert.deepEqual(statuses(most.received()), [200, 200, 200]))
    most.hangUp()
    // The runtime would leave out the last of more, and the parser would know of a body that nobody else knows of.
    const more = await connect()
    more.write(THING + hidden(998) + THING)
    assert.deepEqual(statuses(await more.closed), [200, 414])
  })

  it('that are closed by their client after many requests still get their answers', async () => {
    await start()
    const socket = await connect()
    socket.write(THING.repeat(500).replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'))
    assert.equal(statuses(await socket.closed).length, 500)
  })

  it('are dropped when answers wait and nobody takes them', async () => {
    const { clock } = await start()
    const socket = await connect()
    socket.pause()
    socket.write(`GET /api/things/stream HTTP/1.1\r\n${AS_ADA}\r\n`)
    const there = taken[0] as Socket
    await eventually(() => there.writableLength > 0)
    clock.advance(59_000)
    assert.equal(there.destroyed, false)
    clock.advance(3000)
    assert.equal(there.destroyed, true)
    socket.hangUp()
  })

  it('are not dropped while answers are taken, or none is there yet', async () => {
    const { clock, held } = await start()
    const [reader, waiting] = [await connect(), await connect()]
    reader.write(`GET /api/things/stream HTTP/1.1\r\n${AS_ADA}\r\n`)
    waiting.write(THING.replace('things', 'things/held'))
    await eventually(() => held.waiting === 1)
    for (let minute = 0; minute < 5; minute++) {
      const before = reader.received().length
      clock.advance(30_000)
      await eventually(() => reader.received().length > before + 100_000)
      clock.advance(31_000)
    }
    held.release()
    await eventually(() => assert.deepEqual(statuses(waiting.received()), [200]))
    assert.equal(
      taken.some(({ destroyed }) => destroyed),
      false
    )
    reader.hangUp()
  })
})
