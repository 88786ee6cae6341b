import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { openSocket, parseAnswer } from '../../test/support/hostile-client.ts'
import { type BareServer, type BareServerOptions, startBareServer } from '../../test/support/hostile-server.ts'

const PLACES = 200
const SHARE = PLACES / 2
const AS_ADA = 'Host: x\r\nAuthorization: Bearer ada\r\n'
const HELD = `GET /api/things/held HTTP/1.1\r\n${AS_ADA}\r\n`

let server: BareServer
const start = async (options?: BareServerOptions) => {
  server = await startBareServer(options)
  return server
}
afterEach(() => server.close())

describe('the rate limit', () => {
  it('counts down for each caller on its own and says so', async () => {
    const { call } = await start({ limitPerMinute: 3 })
    for (const remaining of [2, 1, 0]) {
      const answer = await call('GET', '/api/things')
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('ratelimit'), `"default";r=${remaining};t=60`)
      assert.equal(answer.headers.get('ratelimit-policy'), '"default";q=3;w=60')
    }
    const refused = await call('GET', '/api/things')
    assert.equal(refused.status, 429)
    assert.equal(refused.body.code, 'rate_limited')
    assert.equal(refused.headers.get('retry-after'), '60')
    assert.equal(refused.headers.get('ratelimit'), '"default";r=0;t=60')
    assert.equal((await call('GET', '/api/things', 'bob')).status, 200)
  })

  it('lets the caller in again with the next minute', async () => {
    const { call, clock } = await start({ limitPerMinute: 1 })
    await call('GET', '/api/things')
    clock.advance(500) // within the second for which the token stays known
    const refused = await call('GET', '/api/things')
    assert.equal(refused.status, 429)
    clock.advance(Number(refused.headers.get('retry-after')) * 1000)
    assert.equal((await call('GET', '/api/things')).status, 200)
  })

  it('is audited once a minute for each caller, for reads as for changes', async () => {
    const { call, audited, clock } = await start({ limitPerMinute: 1 })
    for (let i = 0; i < 4; i++) await call(i % 2 === 0 ? 'GET' : 'POST', '/api/things')
    assert.deepEqual(
      audited.filter(({ status }) => status === 429).map(({ user, code, outcome }) => [user?.id, code, outcome]),
      [['ada', 'rate_limited', 'refused']]
    )
    clock.advance(60_000)
    for (let i = 0; i < 3; i++) await call('GET', '/api/things')
    assert.equal(audited.filter(({ status }) => status === 429).length, 2)
  })

  it('counts tokens that are not accepted by address, whatever they are', async () => {
    const { call } = await start({ limitPerMinute: 3, trustProxy: true })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    for (let i = 0; i < 3; i++)
      assert.equal((await call('GET', '/api/things', `guess-${i}`, from('10.0.0.1'))).status, 401)
    const refused = await call('GET', '/api/things', 'guess-3', from('10.0.0.1'))
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('www-authenticate'), null)
    assert.equal((await call('GET', '/api/things', 'guess-4', from('10.0.0.2'))).status, 401)
  })

  it('goes on taking good tokens from an address whose bad ones were too many', async () => {
    const { call } = await start({ limitPerMinute: 3 })
    for (let i = 0; i < 5; i++) await call('GET', '/api/things', `guess-${i}`)
    assert.equal((await call('GET', '/api/things', 'guess-5')).status, 429)
    assert.equal((await call('GET', '/api/things', 'ada')).status, 200)
  })

  it('does not count callers who are accepted by their address, however often they are looked at', async () => {
    const { call, clock } = await start({ limitPerMinute: 3 })
    for (const caller of ['ada', 'bob', 'ada', 'bob', 'ada', 'bob']) {
      assert.equal((await call('GET', '/api/things', caller)).status, 200)
      clock.advance(2000) // the token is no longer known and has to be looked at again
    }
  })

  it('says nothing where it is switched off, and never counts health', async () => {
    const { call } = await start()
    assert.equal((await call('GET', '/api/things')).headers.get('ratelimit'), null)
    await server.close()
    const { call: limited } = await start({ limitPerMinute: 1 })
    for (let i = 0; i < 5; i++) assert.equal((await limited('GET', '/api/health')).status, 200)
  })
})

/**
 * Sends as many requests as one caller may have under way, each over a connection of its own, and waits until all
 * have begun.
 */
async function fill(count = SHARE) {
  await server.call('GET', '/api/things') // so that the token is known and every request goes straight to its handler
  const sockets = Array.from({ length: count }, () => openSocket(server.url))
  for (const socket of sockets) socket.write(HELD)
  const received = () => sockets.map((socket) => socket.received()).join('')
  await eventually(() => server.held.waiting + statuses(received()).length >= count)
  return { received, hangUp: () => sockets.forEach((socket) => void socket.hangUp()) }
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

async function assertAllFree() {
  const socket = await fill()
  assert.equal(server.held.waiting, SHARE, 'some places were never given back')
  server.held.release()
  await eventually(() => statuses(socket.received()).length === SHARE)
  assert.deepEqual([...new Set(statuses(socket.received()))], [200])
  socket.hangUp()
}

describe('the limit on requests under way', () => {
  it('gives one caller half of the places, and says so in the audit trail once a minute', async () => {
    const { call, held, audited } = await start({ maxPlaces: PLACES })
    const socket = await fill()
    for (let time = 0; time < 3; time++) {
      const refused = await call('GET', '/api/things')
      assert.equal(refused.status, 429)
      assert.equal(refused.body.code, 'too_many_at_once')
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
    }
    assert.deepEqual(
      audited.map(({ user, code }) => [user?.id, code]),
      [['ada', 'too_many_at_once']]
    )
    assert.equal((await call('GET', '/api/things', 'bob')).status, 200)
    held.release()
    await eventually(() => statuses(socket.received()).length === SHARE)
    assert.equal((await call('GET', '/api/things')).status, 200)
    socket.hangUp()
  })

  it('turns everybody away where none is left, while health answers', async () => {
    const { call, held } = await start({ maxPlaces: 2 })
    for (const user of ['ada', 'bob', 'eve']) await call('GET', '/api/things', user)
    const waiting = [call('GET', '/api/things/held', 'ada'), call('GET', '/api/things/held', 'bob')]
    await eventually(() => held.waiting === 2)
    const refused = await call('GET', '/api/things', 'eve')
    assert.equal(refused.status, 503)
    assert.equal(refused.body.code, 'overloaded')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await call('GET', '/api/health')).status, 200)
    held.release()
    for (const { status } of await Promise.all(waiting)) assert.equal(status, 200)
    assert.equal((await call('GET', '/api/things', 'eve')).status, 200)
  })

  it('gets back the places of callers that hang up while they wait', async () => {
    await start({ maxPlaces: PLACES })
    const socket = await fill()
    socket.hangUp()
    await eventually(async () => (await server.call('GET', '/api/things')).status === 200)
    server.held.release()
    await eventually(() => server.held.waiting === 0)
    await assertAllFree()
  })

  it('gets back the place of a caller that hangs up within its body', async () => {
    await start({ maxPlaces: PLACES })
    const socket = openSocket(server.url)
    socket.write(
      `POST /api/things HTTP/1.1\r\n${AS_ADA}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"na`
    )
    await eventually(() => connections(1))
    socket.hangUp()
    await eventually(() => connections(0))
    await assertAllFree()
    assert.equal(server.logged.filter((line) => line.includes('"level":50')).length, 0)
  })

  it('gets back the place of a caller that hangs up within its answer', async () => {
    await start({ maxPlaces: PLACES })
    const socket = openSocket(server.url)
    socket.write(`GET /api/things/stream HTTP/1.1\r\n${AS_ADA}\r\n`)
    await eventually(() => socket.received().length > 20_000)
    socket.hangUp()
    await eventually(() => connections(0))
    await assertAllFree()
  })
})

function connections(wanted: number): Promise<boolean> {
  return new Promise((resolve) => server.http.server.getConnections((_error, count) => resolve(count === wanted)))
}

describe('shutting down', () => {
  it('finishes what is under way, refuses what is new, and tells the orchestrator', async () => {
    const { lifecycle, held, url, http, call, clock } = await start()
    await call('GET', '/api/things')
    const underWay = openSocket(url)
    underWay.write(HELD)
    const late = openSocket(url)
    late.write('GET /api/things HTTP/1.1\r\nHo')
    const probe = openSocket(url)
    probe.write('GET /api/health/ready HTTP/1.1\r\nHo')
    await eventually(() => held.waiting === 1)
    await eventually(() => connections(4)) // one more connection is kept alive by the call before
    lifecycle.phase = 'draining'
    const closed = http.close()
    await eventually(() => !http.server.listening)
    late.write('st: x\r\nAuthorization: Bearer ada\r\n\r\n')
    probe.write('st: x\r\n\r\n')
    const [refused, ready] = [parseAnswer(await late.closed), parseAnswer(await probe.closed)]
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.connection, 'close')
    assert.equal(JSON.parse(refused.text).code, 'shutting_down')
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.equal(ready.status, 503)
    held.release()
    await eventually(() => statuses(underWay.received()).length === 1)
    assert.deepEqual(statuses(underWay.received()), [200])
    assert.match(await underWay.closed, /connection: close/i)
    assert.equal(await connections(1), true) // the connection of the call before is kept a moment, for a request that may be on its way
    clock.advance(500)
    await eventually(() => connections(0))
    await closed
  })
})

describe('every answer', () => {
  it('to a body that is too large has the limit', async () => {
    const { url } = await start()
    const headers = { authorization: 'Bearer ada', 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'x'.repeat(10_000) })
    const answer = await fetch(`${url}/api/things`, { method: 'POST', headers, body })
    const { code, detail } = (await answer.json()) as { code: string; detail: string }
    assert.deepEqual([answer.status, code], [413, 'payload_too_large'])
    assert.match(detail, /10000 bytes.*MAX_BODY_BYTES/)
  })

  it('carries the request id of the caller where it has a decent one', async () => {
    const { call } = await start()
    for (const path of ['/api/things', '/api/health', '/api/nothing', '/api/things/%ff']) {
      const named = await call('GET', path, 'ada', { 'x-request-id': 'trace-1.a:b' })
      assert.equal(named.headers.get('x-request-id'), 'trace-1.a:b', path)
      if (named.status >= 400) assert.equal(named.body.requestId, 'trace-1.a:b', path)
      for (const bad of ['a b', 'x'.repeat(129), '<script>', '']) {
        assert.match(
          (await call('GET', path, 'ada', { 'x-request-id': bad })).headers.get('x-request-id') ?? '',
          /^req_/
        )
      }
    }
  })

  it('that failed is logged under its request id, with the reason that the caller is not told', async () => {
    const { call, logged } = await start()
    const answer = await call('GET', '/api/things/broken')
    assert.equal(answer.status, 500)
    assert.ok(!JSON.stringify(answer.body).includes('the reason'))
    const line = JSON.parse(logged.find((text) => text.includes('"level":50')) ?? '{}')
    assert.equal(line.requestId, answer.body.requestId)
    assert.equal(line.cause.message, 'the reason')
  })
})
