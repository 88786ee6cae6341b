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

  it('on which too many requests wait for their answers get those and no more', async () => {
    await start()
    await server.call('GET', '/api/things')
    const socket = await connect()
    socket.write(THING.replace('things', 'things/held').repeat(150))
    await eventually(() => server.held.waiting === 100)
    server.held.release()
    const text = await socket.closed
    assert.deepEqual(statuses(text), [...Array(100).fill(200), 429])
    assert.match(text.slice(text.lastIndexOf('HTTP/1.1')), /connection: close.*too_many_at_once/is)
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
