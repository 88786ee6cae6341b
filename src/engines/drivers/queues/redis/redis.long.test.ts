import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient } from '@redis/client'
import { missingRedis, type RedisServer, startRedis } from '../../../../../test/support/servers/redis.ts'
import { makeFolder } from '../../../../../test/support/servers/service.ts'
import { tries } from '../../../../../test/support/thorough.ts'
import { selfSigned } from '../../../outbound/testing/certificate.ts'
import { runSteps } from '../../index.ts'
import { driverContract } from '../../testing/contract.ts'
import { messagesWithIds, STEPS, WRONG_PLACES, wrong } from '../testing/contract.ts'
import { countFlat, idsInParts, limitOfTest, recordsOf, withSource } from '../testing/reading.ts'

const COUNT = 25_000
const LARGE = tries(200_000, 1_000_000)
const certificate = selfSigned('localhost')

async function administer<T>({ port, password }: RedisServer, work: (client: Admin) => Promise<T>): Promise<T> {
  const client = createClient({
    RESP: 2,
    socket: { host: '127.0.0.1', port },
    password,
    commandOptions: { timeout: 0 }
  })
  await client.connect()
  try {
    return await work((...command) => client.sendCommand(command))
  } finally {
    client.destroy()
  }
}
type Admin = (...command: (string | Buffer)[]) => Promise<unknown>

const addEntries = (server: RedisServer, key: string, count: number) =>
  administer(server, async (ask) => {
    for (let first = 1; first <= count; first += 5000) {
      const ids = Array.from({ length: Math.min(5000, count - first + 1) }, (_, i) => first + i)
      await Promise.all(ids.map((id) => ask('XADD', key, `${id}-0`, 'reading', `row ${id}`)))
    }
  })

driverContract('Redis as a source', {
  sourceId: 'redis',
  missing: missingRedis(),
  async start() {
    const server = await startRedis(makeFolder('drivers-redis'), certificate)
    await addEntries(server, 'readings', COUNT)
    const { host, port, tlsPort, password } = server
    return {
      config: { host, port, password },
      secrets: [password, 'wrong-password'],
      steps: STEPS,
      wrong: {
        ...WRONG_PLACES,
        'a wrong password': wrong({ password: 'wrong-password' }, 'authenticate', 'wrong_credentials', '/password'),
        'a user that is not there': wrong({ user: 'nobody' }, 'authenticate', 'wrong_credentials', '/password'),
        'no password': wrong({ password: '' }, 'authenticate', 'wrong_credentials', '/password'),
        'a database that is not there': wrong({ database: 99 }, 'authenticate', 'not_found', '/database'),
        'encryption that is not there': wrong({ tls: true }, 'tls', 'tls_failed', '/tls'),
        'a certificate that nobody vouches for': wrong({ tls: true, port: tlsPort }, 'tls', 'tls_failed', '/tls'),
        'a certificate for another name': wrong(
          { tls: true, port: tlsPort, ca: certificate.cert },
          'tls',
          'tls_failed',
          '/tls'
        )
      },
      stream: messagesWithIds(
        'stream:readings',
        Array.from({ length: COUNT }, (_, i) => `${i + 1}-0`)
      ),
      async makeStranger() {
        await administer(server, (ask) => ask('ACL', 'SETUSER', 'odd|reader', 'on', '>strange'))
        return { user: 'odd|reader', password: 'strange', database: 1 }
      },
      execute: async (statement) => {
        await administer(server, (ask) => ask(...statement.split(' ')))
      },
      stop: () => server.stop(),
      restart: () => server.restart()
    }
  }
})

describe('what is in Redis', { skip: missingRedis() ?? false }, () => {
  let server: RedisServer
  before(async () => {
    server = await startRedis(makeFolder('drivers-redis-values'), certificate)
  })
  after(() => server?.stop())
  const configOf = (database: number, more = {}) => ({
    host: '127.0.0.1',
    port: server.port,
    password: server.password,
    database,
    ...more
  })
  const fill = (database: number, commands: readonly (readonly (string | Buffer)[])[]) =>
    administer(server, async (ask) => {
      await ask('SELECT', String(database))
      await Promise.all(commands.map((command) => ask(...command)))
    })

  it('keys of every type are read with their values, and what is odd does not touch the others', async () => {
    await fill(2, [
      ['SET', 'text', 'grün\0'],
      ['SET', 'bytes', Buffer.from([0xff, 0, 1])],
      ['SET', Buffer.from([0x6b, 0xff]), 'odd name'],
      ['SET', 'empty', ''],
      ['SET', 'soon', '1', 'PXAT', '4102444800123'],
      ['SET', 'huge', Buffer.alloc(9 << 20, 'x')],
      ['HSET', 'hash', '__proto__', '1', 'b', Buffer.from([0xfe])],
      ['RPUSH', 'list', 'a', 'b', 'a'],
      ['SADD', 'set', 'one'],
      ['ZADD', 'zset', '-inf', 'low', '0.1', 'tenth'],
      ['XADD', 'stream', '1-1', 'a', 'b']
    ])
    const records = await withSource('redis', configOf(2), (opened) => recordsOf(opened, 'keys'))
    const byKey = new Map(records.map(({ key, size: _, ...rest }) => [key, rest]))
    const value = (
      type: string,
      body: string | null,
      bytes: Uint8Array | null = null,
      expires: string | null = null
    ) => ({
      type,
      expires,
      body,
      bytes
    })
    assert.deepEqual(byKey.get('text'), value('string', 'grün\0'))
    assert.deepEqual(byKey.get('bytes'), value('string', null, Buffer.from([0xff, 0, 1])))
    assert.deepEqual(byKey.get('k\\xff'), value('string', 'odd name'))
    assert.deepEqual(byKey.get('empty'), value('string', ''))
    assert.match(String(byKey.get('soon')?.expires), /^(2099-12-31 23:59:59|2100-01-01 00:00:0[01])\.\d{6}$/)
    assert.deepEqual(byKey.get('huge'), value('string', null))
    assert.deepEqual(byKey.get('hash'), value('hash', '{"__proto__":"1","b":{"base64":"/g=="}}'))
    assert.deepEqual(byKey.get('list'), value('list', '["a","b","a"]'))
    assert.deepEqual(byKey.get('set'), value('set', '["one"]'))
    assert.deepEqual(
      byKey.get('zset'),
      value('zset', '[{"member":"low","score":"-inf"},{"member":"tenth","score":0.1}]')
    )
    assert.deepEqual(byKey.get('stream'), value('stream', null))
    assert.equal(records.length, 11)
    assert.ok(records.every(({ key, size }) => Number(size) > (key === 'huge' ? 9 << 20 : 10)))

    const some = await withSource('redis', configOf(2, { pattern: 's*' }), (opened) => recordsOf(opened, 'keys'))
    assert.deepEqual(some.map(({ key }) => key).sort(), ['set', 'soon', 'stream'])
    const two = await withSource('redis', configOf(2), (opened) => recordsOf(opened, 'keys', { limit: 2 }))
    assert.equal(two.length, 2)
  })

  it('entries of streams are read with whatever fields they have', async () => {
    await fill(3, [
      ['XADD', 'odd.stream', '1763400000000-0', 'a', '1', 'b', 'x', 'a', '2'],
      ['XADD', 'odd.stream', '1763400000000-1', 'raw', Buffer.from([0xff])],
      ['XADD', 'odd.stream', '18446744073709551615-18446744073709551615', '', '']
    ])
    await withSource('redis', configOf(3), async (opened) => {
      const entries = await recordsOf(opened, 'stream:odd.stream')
      assert.deepEqual(
        entries.map(({ id, time, topic, body }) => [id, time, topic, body]),
        [
          ['1763400000000-0', '2025-11-17 17:20:00.000000', 'odd.stream', '{"a":["1","2"],"b":"x"}'],
          ['1763400000000-1', '2025-11-17 17:20:00.000000', 'odd.stream', '{"raw":{"base64":"/w=="}}'],
          ['18446744073709551615-18446744073709551615', null, 'odd.stream', '{"":""}']
        ]
      )
      const at = (after: string) => recordsOf(opened, 'stream:odd.stream', { cursor: { column: 'id', after } })
      assert.equal((await at('1763400000000-0')).length, 2)
      assert.equal((await at('18446744073709551615-18446744073709551615')).length, 0)
      await assert.rejects(at('yesterday'), { code: 'bad_request' })
      await assert.rejects(recordsOf(opened, 'keys', { cursor: { column: 'key', after: null } }), {
        code: 'bad_request'
      })
      await assert.rejects(recordsOf(opened, 'stream:absent'), { code: 'not_found' })
    })
  })

  it('streams are found among many keys, up to a limit', async () => {
    await fill(
      4,
      Array.from({ length: 300 }, (_, i) => ['XADD', `s${i}`, '*', 'a', 'b'])
    )
    await withSource('redis', configOf(4), async (opened) => {
      const all = await opened.discover({ limit: 1000, signal: limitOfTest() })
      assert.deepEqual([all.streams.length, all.isWhole], [301, true])
      const some = await opened.discover({ limit: 10, signal: limitOfTest() })
      assert.deepEqual([some.streams.length, some.isWhole], [10, false])
    })
  })

  it('a large stream and many keys are read with flat memory, as are values larger than a chunk', async () => {
    await addEntries(server, 'large', LARGE)
    await fill(
      5,
      Array.from({ length: 50_000 }, (_, i) => ['SET', `key ${i}`, `value ${i}`])
    )
    await fill(
      6,
      Array.from({ length: 60 }, (_, i) => ['SET', `key ${i}`, Buffer.alloc(3 << 20, 'x')])
    )
    assert.equal(await withSource('redis', configOf(0), (opened) => countFlat(opened, 'stream:large', LARGE)), LARGE)
    assert.equal(await withSource('redis', configOf(5), (opened) => countFlat(opened, 'keys', 50_000)), 50_000)
    assert.equal(await withSource('redis', configOf(6), (opened) => countFlat(opened, 'keys', 60)), 60)
  })

  it('a read goes on where the server was killed in the middle of it: nothing twice, nothing missing', async () => {
    const ids = await withSource('redis', configOf(0), (opened) =>
      idsInParts(opened, 'stream:large', async (part) => {
        if (part < 3) await server.restart()
      })
    )
    assert.equal(ids.length, LARGE)
    assert.ok(ids.every((id, i) => id === `${i + 1}-0`))
  })

  it('a signal ends a read, and so does closing the source', async () => {
    await withSource('redis', configOf(0), async (opened) => {
      const controller = new AbortController()
      const chunks = opened.read({ stream: 'stream:large', signal: controller.signal })[Symbol.asyncIterator]()
      await chunks.next()
      controller.abort(new Error('no longer wanted'))
      await assert.rejects(chunks.next(), /no longer wanted/)
      const others = opened.read({ stream: 'stream:large', signal: limitOfTest() })[Symbol.asyncIterator]()
      await others.next()
      await opened.close()
      await assert.rejects(others.next(), { code: 'unavailable' })
    })
  })

  it('says that a password is wanted, or that none is, before anything is listed', async () => {
    const tested = (password: string) =>
      withSource('redis', { ...configOf(0), password }, async ({ steps }) => {
        const { checks } = await runSteps(steps, 20_000)
        return checks.find(({ ok }) => !ok)
      })
    const none = await tested('')
    assert.deepEqual([none?.name, none?.code], ['authenticate', 'wrong_credentials'])
    assert.match(none?.message ?? '', /wants a password/)
    await administer(server, (ask) => ask('CONFIG', 'SET', 'requirepass', ''))
    const open = await tested(server.password)
    assert.deepEqual([open?.name, open?.code], ['authenticate', 'wrong_credentials'])
    assert.match(open?.message ?? '', /wants no password/)
    assert.equal(await tested(''), undefined)
    await server.restart()
  })

  it('encrypts where asked, with the authority that is given', async () => {
    const config = { ...configOf(0), host: 'localhost', port: server.tlsPort, tls: true, ca: certificate.cert }
    assert.equal((await withSource('redis', config, (opened) => recordsOf(opened, 'keys', { limit: 1 }))).length, 1)
  })
})
