import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createWebServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { runSteps, type SourceConfig } from '../index.ts'
import { withSource } from '../queues/testing/reading.ts'

const CONFIG = { host: 'localhost', database: 'plant', user: 'reader', password: 'secret' }
/** Longer than a look takes, so that it is not this that ends it. */
const LIMIT_MS = 60_000

describe('a port at which something else is', () => {
  const sockets = new Set<Socket>()
  let silent: Server
  let web: Server
  before(async () => {
    silent = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {}).resume()
    })
    web = createWebServer((_, response) => response.end('<h1>hello</h1>'))
    for (const server of [silent, web]) await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  after(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
    web.close()
  })

  async function failed(sourceId: string, server: Server, more: SourceConfig) {
    const { port } = server.address() as AddressInfo
    const { checks } = await withSource(sourceId, { ...more, port }, ({ steps }) => runSteps(steps, LIMIT_MS))
    const { name, code, pointer, message = '' } = checks.find(({ ok }) => !ok) ?? {}
    return { told: [name, code, pointer], message }
  }

  it('that never begins to encrypt is told as such, and not by a timeout', async () => {
    const { host, user, password } = CONFIG
    const found = await Promise.all([
      failed('clickhouse', silent, { ...CONFIG, tls: true }),
      failed('redis', silent, { host, tls: true }),
      failed('rabbitmq', silent, { host, user, password, tls: true, queues: ['a'] }),
      failed('prometheus', silent, { host, tls: true }),
      failed('elasticsearch', silent, { host, tls: true })
    ])
    for (const { told, message } of found) assert.deepEqual(told, ['tls', 'tls_failed', '/tls'], message)
  })

  it('that does not speak first where it has to is none of the kind', async () => {
    const { host } = CONFIG
    const found = await Promise.all([
      failed('mysql', web, CONFIG),
      failed('mysql', silent, CONFIG),
      failed('nats', web, { host }),
      failed('ftp', silent, { ...CONFIG, database: undefined, files: ['*.csv'] })
    ])
    for (const { told, message } of found) {
      assert.deepEqual(told, ['authenticate', 'unavailable', '/port'], message)
      assert.match(message, /does not speak as (MySQL|NATS|FTP) does/)
    }
  })

  it('that encrypts, and not as PostgreSQL does, is none', async () => {
    // What a server of TLS says to whoever does not begin with it.
    const alert = createServer((socket) => socket.on('error', () => {}).end(Buffer.from([0x15, 3, 1, 0, 2, 2, 70])))
    await once(alert.listen(0, '127.0.0.1'), 'listening')
    try {
      const { told, message } = await failed('postgres', alert, { ...CONFIG, tls: true })
      assert.deepEqual(told, ['tls', 'unavailable', '/port'], message)
      assert.match(message, /does not speak as PostgreSQL does/)
    } finally {
      alert.close()
    }
  })

  it('that answers whatever it is asked is no ClickHouse', async () => {
    const { told, message } = await failed('clickhouse', web, CONFIG)
    assert.deepEqual(told, ['authenticate', 'unreachable', '/host'])
    assert.match(message, /does not speak as ClickHouse does/)
  })
})
