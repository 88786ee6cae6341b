// Once: what is proven is about connections and places, which no database has a part in.
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { ask, hangUp, hear, openMany, openRaw, postHead, putHead, statusesIn } from '../support/attack/client.ts'
import { eventually } from '../support/eventually.ts'
import { createInstallation, type Env, type ServerProcess, startServer } from '../support/process.ts'
import { makeToken } from '../support/token.ts'
import { assertMs } from '../support/yardstick.ts'

const ATTACKER = '127.0.0.1'
const NEIGHBOUR = '127.0.0.2'
const LOOKS = 20
/** Pieces of so many requests come at once: begun at once, they would be all that the server does for seconds. */
const FLOODS: readonly [path: string, connections: number, requests: number][] = [
  ['/api/openapi.json', 200, 1000],
  ['/api/health', 200, 1000],
  ['/api/users/me', 200, 1000],
  ['/api/docs', 20, 10_000]
]
const LONGEST_WAIT_MS = 1500
/** What else runs on the machine only ever makes it slower, so the best of so many counts. */
const ROUNDS = 3
const OPENAPI = 'GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'

interface Target {
  readonly server: ServerProcess
  readonly url: string
  readonly env: Env
  drop(): Promise<void>
}

async function open(descriptors: number | undefined, more: Env = {}): Promise<Target> {
  const { env: own, drop } = await createInstallation()
  const env = { ...own, RATE_LIMIT: '6000', ...more }
  const server = await startServer(env, ['src/main.js'], descriptors)
  return {
    server,
    url: server.url,
    env,
    async drop() {
      await server.stop('SIGKILL')
      await drop()
    }
  }
}

/** Somebody who does nothing but their work: each of their requests is answered, whatever others do. Answers what the longest took. */
async function goesOn({ url }: Target, token: string, from = NEIGHBOUR): Promise<number> {
  let longestMs = 0
  for (let look = 0; look < LOOKS; look++) {
    const startedMs = performance.now()
    const { status, body } = await ask(url, '/api/users/me', from, { token })
    assert.equal(status, 200, `look ${look} from ${from}: ${JSON.stringify(body)}`)
    longestMs = Math.max(longestMs, performance.now() - startedMs)
  }
  return longestMs
}

describe('while somebody tries to take the server', { timeout: 900_000 }, () => {
  let target: Target
  let admin: string
  let eve: string
  let ada: string
  const opened: Socket[] = []

  before(async () => {
    target = await open(undefined)
    ;[admin, eve, ada] = (await Promise.all([
      makeToken(target.env, 'root', 'admin'),
      makeToken(target.env, 'eve', 'editor'),
      makeToken(target.env, 'ada', 'editor')
    ])) as [string, string, string]
    const made = await ask(target.url, '/api/buckets', NEIGHBOUR, {
      token: admin,
      method: 'POST',
      body: '{"name":"plain"}'
    })
    assert.equal(made.status, 201)
  })
  after(() => target.drop())

  afterEach(async () => {
    hangUp(opened.splice(0))
    await eventually(() => goesOn(target, ada, ATTACKER))
  })

  it('answers that nobody reads take no place of others', async () => {
    opened.push(...(await openMany(target.url, ATTACKER, 2, OPENAPI.repeat(2000))))
    for (let round = 0; round < 5; round++) await goesOn(target, ada)
    await goesOn(target, ada, ATTACKER)
    // Also where they come over many connections.
    opened.push(...(await openMany(target.url, ATTACKER, 200, OPENAPI.repeat(100))))
    await goesOn(target, ada)
    await goesOn(target, ada, ATTACKER)
    assert.equal((await ask(target.url, '/', NEIGHBOUR)).status, 200)
  })

  for (const [path, connections, requests] of FLOODS) {
    it(`${connections} × ${requests} requests for ${path} at once make nobody wait for long`, async () => {
      const lines = ['GET', path, 'HTTP/1.1\r\nHost: x\r\n\r\n'].join(' ')
      let bestMs = Number.POSITIVE_INFINITY
      for (let round = 0; round < ROUNDS && bestMs >= LONGEST_WAIT_MS; round++) {
        hangUp(opened.splice(0))
        const flood = openMany(target.url, ATTACKER, connections, lines.repeat(requests))
        bestMs = Math.min(bestMs, Math.max(await goesOn(target, ada), await goesOn(target, ada)))
        opened.push(...(await flood))
      }
      assertMs(bestMs, LONGEST_WAIT_MS)
    })
  }

  it('pipelined changes of one caller take no place of others', async () => {
    const one = postHead('/api/api-keys', eve, 8) + '{"name":'.slice(0, 8)
    const whole = `${postHead('/api/api-keys', eve, 12)}{"name":"x"}`
    opened.push(...(await openMany(target.url, ATTACKER, 20, whole.repeat(200))))
    opened.push(...(await openMany(target.url, ATTACKER, 20, one)))
    await goesOn(target, ada)
    await goesOn(target, ada, ATTACKER)
  })

  it('slow uploads of one caller take no place of others', async () => {
    const path = (n: number) => `/api/buckets/plain/objects/slow-${n}`
    for (let n = 0; n < 2010; n++) {
      const socket = openRaw(target.url, ATTACKER)
      socket.once('connect', () => socket.write(`${putHead(path(n), eve, 1_000_000)}x`))
      opened.push(socket)
    }
    const refused = await hear(opened.at(-1) as Socket, (text) => text.includes('\r\n\r\n{'))
    assert.deepEqual(statusesIn(refused), [429], refused)
    assert.match(refused, /too_many_at_once/)
    for (let round = 0; round < 3; round++) await goesOn(target, ada)
    await goesOn(target, ada, ATTACKER)
    const put = { token: ada, method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'mine' }
    assert.equal((await ask(target.url, '/api/buckets/plain/objects/mine', NEIGHBOUR, put)).status, 201)
  })

  it('slow readers of downloads take no place of others', async () => {
    const put = { token: ada, method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(20_000_000) }
    assert.equal((await ask(target.url, '/api/buckets/plain/objects/large', NEIGHBOUR, put)).status, 201)
    const get = `GET /api/buckets/plain/objects/large HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${eve}\r\n\r\n`
    opened.push(...(await openMany(target.url, ATTACKER, 300, get)))
    await goesOn(target, ada)
    const read = await ask(target.url, '/api/buckets/plain/objects/large', NEIGHBOUR, { token: ada })
    assert.equal(read.body.length, 20_000_000)
  })

  it('connections that are closed on one side only take no place of others', async () => {
    const sockets = await openMany(target.url, ATTACKER, 500, OPENAPI)
    opened.push(...sockets)
    for (const socket of sockets) socket.end()
    await goesOn(target, ada)
    await goesOn(target, ada, ATTACKER)
  })

  it('logs that one caller follows, with however many keys, leave room for others', async () => {
    const nodes = [
      { id: 'gen', type: 'generate', config: { fields: { n: 'n' }, count: 1 } },
      { id: 'out', type: 'object', config: { bucket: 'plain', prefix: 'p/', format: 'ndjson' }, inputs: ['gen'] }
    ]
    const made = await ask(target.url, '/api/pipelines', NEIGHBOUR, {
      token: admin,
      method: 'POST',
      body: JSON.stringify({ name: 'followed', nodes })
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const viewer = await makeToken(target.env, 'viewer', 'viewer')
    const keys = [viewer]
    for (let n = 0; n < 4; n++) {
      const key = await ask(target.url, '/api/api-keys', ATTACKER, {
        token: viewer,
        method: 'POST',
        body: JSON.stringify({ name: `k${n}` })
      })
      assert.equal(key.status, 201)
      keys.push(key.body.key)
    }
    const head = (token: string) =>
      `GET /api/pipelines/${made.body.id}/logs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n\r\n`
    const heard = []
    for (let n = 0; n < 110; n++) {
      const [socket] = (await openMany(target.url, ATTACKER, 1, head(keys[n % 5] as string))) as [Socket]
      opened.push(socket)
      heard.push(hear(socket, (text) => text.includes('\r\n\r\n')))
    }
    const statuses = (await Promise.all(heard)).flatMap(statusesIn)
    assert.equal(statuses.filter((status) => status === 200).length, 50)
    assert.equal(statuses.filter((status) => status === 429).length, 60)
    const [reader] = (await openMany(target.url, NEIGHBOUR, 1, head(ada))) as [Socket]
    opened.push(reader)
    assert.deepEqual(statusesIn(await hear(reader, (text) => text.includes('\r\n\r\n'))), [200])
  })

  it('bodies of points that one caller holds back leave room for others', async () => {
    const source = { token: admin, method: 'POST', body: '{"name":"plant"}' }
    const { id } = (await ask(target.url, '/api/catalog/sources', NEIGHBOUR, source)).body
    const path = `/api/catalog/sources/${id}/points`
    const size = 33_000_000
    const piece = ' '.repeat(size - 1000)
    for (let n = 0; n < 6; n++) {
      const socket = openRaw(target.url, ATTACKER)
      socket.write(postHead(path, eve, size))
      socket.write(piece)
      opened.push(socket)
    }
    await eventually(() => opened.every((socket) => socket.bytesRead > 0 || socket.writableLength === 0))
    const point = '[{"tag":"t","time":"2026-01-01T00:00:00Z","value":1}]'
    const write = { token: ada, method: 'POST', body: point }
    const written = await ask(target.url, path, NEIGHBOUR, write)
    assert.equal(written.status, 200, JSON.stringify(written.body))
  })

  it('connections that are refused and not closed by their client are closed all the same', async () => {
    const count = async () => {
      const { body } = await ask(target.url, '/metrics', NEIGHBOUR, { token: admin })
      return Number(/nodejs_active_resources\{type="TCPSocketWrap"\} (\d+)/.exec(body)?.[1])
    }
    const before = await count()
    const sockets = await openMany(target.url, ATTACKER, 50, 'garbage\r\n\r\n')
    opened.push(...sockets)
    await Promise.all(sockets.map((socket) => hear(socket)))
    assert.ok((await count()) >= before + 40)
    await eventually(async () => (await count()) < before + 10)
  })

  it('tokens that are tried lock nobody out, and leave a few rows', async () => {
    const trails = async () =>
      (await ask(target.url, '/api/audit/logs?action=sign-in&limit=1', NEIGHBOUR, { token: admin })).body.total
    const before = await trails()
    const agent = new Agent({ keepAlive: true, maxSockets: 50 })
    const statuses = await Promise.all(
      Array.from({ length: 6100 }, async (_, n) => {
        const headers = { 'idempotency-key': `try-${n}` }
        const more = n % 2 === 0 ? {} : { method: 'POST', body: '{"name":"x"}', headers }
        return (await ask(target.url, '/api/api-keys', ATTACKER, { token: `mr_${n}`, agent, ...more })).status
      })
    )
    agent.destroy()
    assert.ok(statuses.every((status) => status === 401 || status === 429))
    assert.ok(statuses.includes(429))
    await goesOn(target, ada, ATTACKER)
    const fresh = await makeToken(target.env, 'new-here', 'viewer')
    assert.equal((await ask(target.url, '/api/users/me', ATTACKER, { token: fresh })).status, 200)
    const many = Array.from({ length: 150 }, (_, n) => `127.0.2.${n + 1}`)
    for (let time = 0; time < 10; time++) {
      await Promise.all(many.map((from) => ask(target.url, '/api/users/me', from, { token: 'mr_x' })))
    }
    await goesOn(target, ada)
    const rows = (await trails()) - before
    assert.ok(rows < 1200, `${rows} rows`)
  })

  it('pages are limited by address, and take nothing from callers with a token', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 50, localAddress: '127.0.0.3' })
    const statuses = await Promise.all(
      Array.from(
        { length: 6100 },
        async () => (await ask(target.url, '/api/docs/errors', '127.0.0.3', { agent })).status
      )
    )
    agent.destroy()
    assert.deepEqual([...new Set(statuses)].sort(), [200, 429])
    await goesOn(target, ada, '127.0.0.3')
    assert.equal((await ask(target.url, '/', NEIGHBOUR)).status, 200)
  })
})

describe('with 1,024 descriptors', { timeout: 400_000 }, () => {
  let target: Target
  let ada: string
  let eve: string

  before(async () => {
    target = await open(1024)
    ;[ada, eve] = (await Promise.all([
      makeToken(target.env, 'ada', 'admin'),
      makeToken(target.env, 'eve', 'editor')
    ])) as [string, string]
    const bucket = { token: ada, method: 'POST', body: '{"name":"plain"}' }
    assert.equal((await ask(target.url, '/api/buckets', NEIGHBOUR, bucket)).status, 201)
  })
  after(() => target.drop())

  const beginnings: [string, (n: number) => string][] = [
    ['that say nothing', () => ''],
    ['that are in the midst of their headers', () => 'GET /api/users/me HTTP/1.1\r\nHost: x\r\nX-'],
    ['that are kept alive', () => 'GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['that upload slowly', (n) => `${putHead(`/api/buckets/plain/objects/s-${n}`, eve, 1_000_000)}x`]
  ]
  for (const [what, text] of beginnings) {
    it(`connections ${what} leave room for others, and the process stays`, async (t) => {
      const sockets: Socket[] = []
      t.after(() => hangUp(sockets))
      for (let n = 0; n < 1100; n++) {
        const socket = openRaw(target.url, ATTACKER)
        socket.once('connect', () => socket.write(text(n)))
        socket.resume()
        sockets.push(socket)
      }
      for (let round = 0; round < 3; round++) await goesOn(target, ada)
      const put = { token: ada, method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'mine' }
      assert.equal((await ask(target.url, '/api/buckets/plain/objects/mine', NEIGHBOUR, put)).status, 201)
      hangUp(sockets)
      await eventually(() => goesOn(target, ada, ATTACKER))
    })
  }

  it('connections from many addresses leave room for others', async () => {
    const sockets: Socket[] = []
    for (let n = 0; n < 2000; n++) sockets.push(openRaw(target.url, `127.0.1.${n % 100}`))
    for (let round = 0; round < 3; round++) await goesOn(target, ada)
    hangUp(sockets)
    await eventually(() => goesOn(target, ada, ATTACKER))
  })
})

describe('a start and a stop', { timeout: 400_000 }, () => {
  it('turns nobody away in the first seconds of full load', async () => {
    const target = await open(undefined, { RATE_LIMIT: '0' })
    const token = await makeToken(target.env, 'ada', 'admin')
    const agent = new Agent({ keepAlive: true, maxSockets: 200 })
    const statuses: number[] = []
    const endMs = performance.now() + 4000
    await Promise.all(
      Array.from({ length: 200 }, async () => {
        while (performance.now() < endMs)
          statuses.push((await ask(target.url, '/api/audit/logs', ATTACKER, { token, agent })).status)
      })
    )
    agent.destroy()
    await target.drop()
    assert.deepEqual([...new Set(statuses)], [200])
  })

  it('resets no connection that is kept alive, and no upload', async () => {
    const target = await open(undefined, { RATE_LIMIT: '0' })
    const token = await makeToken(target.env, 'ada', 'admin')
    const bucket = { token, method: 'POST', body: '{"name":"plain"}' }
    assert.equal((await ask(target.url, '/api/buckets', NEIGHBOUR, bucket)).status, 201)
    const failures: string[] = []
    let isLeft = false
    const agent = new Agent({ keepAlive: true, maxSockets: 10 })
    const readers = Array.from({ length: 10 }, async () => {
      while (!isLeft) {
        try {
          const { status, headers } = await ask(target.url, '/api/users/me', ATTACKER, { token, agent })
          if (status === 503) assert.equal(headers.connection, 'close')
        } catch (error) {
          const { code = '' } = error as NodeJS.ErrnoException
          if (code === 'ECONNREFUSED') return
          failures.push(code)
        }
      }
    })
    // Each sends half, and the other half after the stop has begun.
    const uploads = Array.from({ length: 20 }, (_, n) => {
      const socket = openRaw(target.url, ATTACKER)
      socket.write(putHead(`/api/buckets/plain/objects/o-${n}`, token, 200_000))
      socket.write('x'.repeat(100_000))
      return { socket, answer: hear(socket) }
    })
    const late = openRaw(target.url, ATTACKER)
    late.write(putHead('/api/buckets/plain/objects/late', token, 30_000_000).slice(0, 20))
    const lateAnswer = hear(late)
    const idle = openRaw(target.url, ATTACKER)
    idle.write('GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n')
    const idleEnd = hear(idle)
    await eventually(() => idle.bytesRead > 0)
    // Connections are taken in their order, so that those from before have been.
    assert.equal((await ask(target.url, '/api/users/me', NEIGHBOUR, { token })).status, 200)
    const stopping = target.server.stop()
    await eventually(async () => {
      try {
        await ask(target.url, '/api/health', NEIGHBOUR)
        return false
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'
      }
    })
    late.write(putHead('/api/buckets/plain/objects/late', token, 30_000_000).slice(20))
    late.write('x'.repeat(20_000_000))
    for (const { socket } of uploads) socket.write('x'.repeat(100_000))
    const answers = await Promise.all(uploads.map(({ answer }) => answer))
    isLeft = true
    await Promise.all(readers)
    assert.deepEqual(failures, [])
    assert.deepEqual(
      answers.map((text) => statusesIn(text)[0]),
      Array(20).fill(201)
    )
    assert.ok(answers.every((text) => /connection: close/i.test(text)))
    assert.deepEqual(statusesIn(await lateAnswer), [503])
    assert.deepEqual(statusesIn(await idleEnd), [200])
    const { code, stderr } = await stopping
    assert.equal(code, 0, stderr)
    await target.drop()
  })
})
