import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type JetStreamClient, jetstream, type StreamConfig } from '@nats-io/jetstream'
import { connect, headers, type NatsConnection, type TlsOptions } from '@nats-io/transport-node'
import { missingNats, type Nats, startNats } from '../../../../../test/support/servers/nats.ts'
import { makeFolder } from '../../../../../test/support/servers/service.ts'
import { tries } from '../../../../../test/support/thorough.ts'
import { selfSigned } from '../../../outbound/testing/certificate.ts'
import { runSteps } from '../../index.ts'
import { driverContract } from '../../testing/contract.ts'
import { messagesWithIds, STEPS, WRONG_PLACES, wrong } from '../testing/contract.ts'
import { countFlat, idsInParts, limitOfTest, recordsOf, withSource } from '../testing/reading.ts'

const COUNT = 25_000
const LARGE = tries(250_000, 1_000_000)
const USER = { user: 'millrace', password: 'p@ss word' }

async function administer<T>(
  { port }: Nats,
  work: (js: JetStreamClient, client: NatsConnection) => Promise<T>,
  tls: TlsOptions | null = null
): Promise<T> {
  const client = await connect({ servers: `localhost:${port}`, user: USER.user, pass: USER.password, tls })
  try {
    return await work(jetstream(client), client)
  } finally {
    await client.close()
  }
}

async function makeStream(js: JetStreamClient, name: string, more: Partial<StreamConfig> = {}): Promise<void> {
  await (await js.jetstreamManager()).streams.add({ name, subjects: [`${name}.>`], ...more })
}

async function publish(client: NatsConnection, subject: string, count: number): Promise<void> {
  for (let i = 1; i <= count; i++) {
    client.publish(subject, `message ${i}`)
    if (i % 5000 === 0) await client.flush()
  }
  // The server has stored all of them before it answers the last.
  await jetstream(client).publish(subject, `message ${count + 1}`)
}

driverContract('NATS as a source', {
  sourceId: 'nats',
  missing: missingNats(),
  async start() {
    const server = await startNats(makeFolder('drivers-nats'), USER)
    await administer(server, async (js, client) => {
      await makeStream(js, 'readings')
      await publish(client, 'readings.a', COUNT - 1)
    })
    const { host, port } = server
    let guarded: Nats | undefined
    return {
      config: { host, port, ...USER },
      secrets: [USER.password, 'wrong-password'],
      steps: STEPS,
      wrong: {
        ...WRONG_PLACES,
        'a wrong password': wrong({ password: 'wrong-password' }, 'authenticate', 'wrong_credentials', '/password'),
        'no user': wrong({ user: '', password: '' }, 'authenticate', 'wrong_credentials', '/password'),
        'encryption that is not there': wrong({ tls: true }, 'tls', 'tls_failed', '/tls')
      },
      stream: messagesWithIds(
        'readings',
        Array.from({ length: COUNT }, (_, i) => String(i + 1))
      ),
      async present(certificate) {
        await guarded?.stop()
        guarded = await startNats(makeFolder('drivers-nats-certificates'), { ...USER, certificate })
        return { host: 'localhost', port: guarded.port, tls: true }
      },
      async stop() {
        await guarded?.stop()
        await server.stop()
      },
      restart: () => server.restart()
    }
  }
})

describe('what is in NATS', { skip: missingNats() ?? false }, () => {
  let server: Nats
  before(async () => {
    server = await startNats(makeFolder('drivers-nats-values'), USER)
  })
  after(() => server?.stop())
  const config = () => ({ host: '127.0.0.1', port: server.port, ...USER })

  it('messages have subject, time, headers, and whatever payload they have', async () => {
    await administer(server, async (js) => {
      await makeStream(js, 'odd')
      const hdrs = headers()
      hdrs.append('trace', 'a')
      hdrs.append('trace', 'b')
      hdrs.append('unit', '°C')
      await js.publish('odd.text', 'grün', { headers: hdrs })
      await js.publish('odd.bytes', Buffer.from([0xff, 0]))
      await js.publish('odd.nothing', '')
      await js.publish('odd.large', Buffer.alloc(900_000, 'x'))
    })
    const records = await withSource('nats', config(), (opened) => recordsOf(opened, 'odd'))
    assert.deepEqual(
      records.map(({ id, topic, key, headers: json, body, bytes }) => [
        id,
        topic,
        key,
        json,
        String(body).length,
        bytes
      ]),
      [
        ['1', 'odd.text', null, '{"trace":["a","b"],"unit":"°C"}', 4, null],
        ['2', 'odd.bytes', null, null, 4, new Uint8Array([0xff, 0])],
        ['3', 'odd.nothing', null, null, 0, null],
        ['4', 'odd.large', null, null, 900_000, null]
      ].map((row) => row.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)))
    )
    assert.match(String(records[0]?.time), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/)
  })

  it('work queues are looked into without taking anything, and gaps are stepped over', async () => {
    await administer(server, async (js, client) => {
      await makeStream(js, 'work', { retention: 'workqueue' })
      await makeStream(js, 'gaps')
      for (const name of ['work', 'gaps']) {
        await publish(client, `${name}.x`, 99)
        const manager = await js.jetstreamManager()
        for (const sequence of [1, 2, 50, 100]) await manager.streams.deleteMessage(name, sequence)
      }
    })
    const expected = Array.from({ length: 100 }, (_, i) => String(i + 1)).filter(
      (id) => !['1', '2', '50', '100'].includes(id)
    )
    for (const name of ['work', 'gaps']) {
      for (let time = 0; time < 2; time++) {
        const ids = await withSource('nats', config(), (opened) => idsInParts(opened, name, async () => {}))
        assert.deepEqual(ids, expected)
      }
    }
    const consumers = await administer(server, async (js) => (await js.jetstreamManager()).streams.info('gaps'))
    assert.equal(consumers.state.consumer_count, 0)
  })

  it('a stream that is empty or made anew is read from its beginning, and a position that is none is refused', async () => {
    await administer(server, (js) => makeStream(js, 'empty'))
    await withSource('nats', config(), async (opened) => {
      const at = (after: string) => recordsOf(opened, 'empty', { cursor: { column: 'id', after } })
      assert.deepEqual(await recordsOf(opened, 'empty'), [])
      await administer(server, async (js) => void (await js.publish('empty.a', 'first')))
      assert.equal((await at('12'))[0]?.body, 'first')
      assert.deepEqual(await at('1'), [])
      await assert.rejects(at('x'), { code: 'bad_request' })
      for (const name of ['absent', 'a.b', '>', 'a b']) {
        await assert.rejects(recordsOf(opened, name), { code: 'not_found' }, name)
      }
      const { streams, isWhole } = await opened.discover({ limit: 1, signal: limitOfTest() })
      assert.deepEqual([streams.length, isWhole], [1, false])
    })
  })

  it('a large stream is read with flat memory, and on where the server was killed: nothing twice, nothing missing', async () => {
    await administer(server, async (js, client) => {
      await makeStream(js, 'large')
      await publish(client, 'large.x', LARGE - 1)
    })
    assert.equal(await withSource('nats', config(), (opened) => countFlat(opened, 'large', LARGE)), LARGE)
    const ids = await withSource('nats', config(), (opened) =>
      idsInParts(opened, 'large', async (part) => {
        if (part < 3) await server.restart()
      })
    )
    assert.equal(ids.length, LARGE)
    assert.ok(ids.every((id, i) => id === String(i + 1)))
  })

  it('a signal ends a read', async () => {
    await withSource('nats', config(), async (opened) => {
      const controller = new AbortController()
      const chunks = opened.read({ stream: 'large', signal: controller.signal })[Symbol.asyncIterator]()
      await chunks.next()
      controller.abort(new Error('no longer wanted'))
      await assert.rejects(chunks.next(), /no longer wanted/)
    })
  })

  it('says which rights a user lacks, and these are enough; encrypts with the authority that is given', async () => {
    const certificate = selfSigned('localhost')
    const nothing = 'permissions: { publish: ["nothing"], subscribe: ["_INBOX.>"] }'
    const tested = async (permissions: string) => {
      const reader = { user: 'reader', permissions }
      const guarded = await startNats(makeFolder('drivers-nats-guarded'), { ...USER, reader, certificate })
      try {
        await administer(guarded, (js) => makeStream(js, 'readings').then(() => js.publish('readings.a', 'x')), {
          ca: certificate.cert
        })
        const secure = {
          ...config(),
          user: 'reader',
          port: guarded.port,
          host: 'localhost',
          tls: true,
          ca: certificate.cert
        }
        return await withSource('nats', secure, ({ steps }) => runSteps(steps, 20_000))
      } finally {
        await guarded.stop()
      }
    }
    const { checks, grants } = await tested(nothing)
    const failed = checks.find(({ ok }) => !ok)
    assert.deepEqual([failed?.name, failed?.code, failed?.pointer], ['list', 'missing_permission', '/user'])
    const { success, message } = await tested(String(grants[0]))
    assert.ok(success, message)
    assert.match(message, /readings can be read/)
  })
})
