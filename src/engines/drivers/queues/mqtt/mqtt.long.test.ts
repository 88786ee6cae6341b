import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { connectAsync, type MqttClient } from 'mqtt'
import { type Mosquitto, missingMosquitto, startMosquitto } from '../../../../../test/support/servers/mosquitto.ts'
import { makeFolder } from '../../../../../test/support/servers/service.ts'
import { tries } from '../../../../../test/support/thorough.ts'
import { createOutbound } from '../../../outbound/index.ts'
import { selfSigned } from '../../../outbound/testing/certificate.ts'
import { findSource, runSteps, type SourceFacts } from '../../index.ts'
import { driverContract } from '../../testing/contract.ts'
import { messagesWithout, STEPS, WRONG_PLACES, wrong } from '../testing/contract.ts'
import { countFlat, limitOfTest, recordsOf, rowsOf, withSource } from '../testing/reading.ts'
import { mqttSettings } from './config.ts'
import { connectListener } from './listening.ts'

const COUNT = 300
const LARGE = tries(200_000, 1_000_000)
const USER = { user: 'millrace', password: 'p@ss word' }

async function administer<T>({ port }: Mosquitto, work: (client: MqttClient) => Promise<T>): Promise<T> {
  const client = await connectAsync({
    host: '127.0.0.1',
    port,
    protocolVersion: 5,
    username: USER.user,
    password: USER.password
  })
  try {
    return await work(client)
  } finally {
    await client.endAsync(true)
  }
}

driverContract('MQTT as a source', {
  sourceId: 'mqtt',
  missing: missingMosquitto(),
  async start() {
    const server = await startMosquitto(makeFolder('drivers-mqtt'), USER)
    await administer(server, (client) => client.publishAsync('plant/one', 'on', { retain: true, qos: 1 }))
    await server.save()
    const { host, port } = server
    return {
      config: { host, port, ...USER, topics: ['plant/#'], seconds: 0.2 },
      secrets: [USER.password, 'wrong-password'],
      steps: STEPS,
      wrong: {
        ...WRONG_PLACES,
        'a wrong password': wrong({ password: 'wrong-password' }, 'authenticate', 'wrong_credentials', '/password'),
        'no user': wrong({ user: '', password: '' }, 'authenticate', 'wrong_credentials', '/password'),
        'encryption that is not there': wrong({ tls: true }, 'tls', 'tls_failed', '/tls'),
        'a filter that is none': wrong({ topics: ['plant#'] }, 'list', 'bad_request', '/topics')
      },
      stream: messagesWithout('plant/one', ['on']),
      stop: () => server.stop(),
      restart: () => server.restart()
    }
  }
})

describe('what is in MQTT', { skip: missingMosquitto() ?? false }, () => {
  let server: Mosquitto
  before(async () => {
    server = await startMosquitto(makeFolder('drivers-mqtt-values'), USER)
  })
  after(() => server?.stop())
  const config = (more = {}) => ({ host: '127.0.0.1', port: server.port, ...USER, seconds: 0.3, ...more })

  it('messages have topic, payload and what stands beside them', async () => {
    await administer(server, async (client) => {
      const properties = { contentType: 'text/plain', userProperties: { unit: '°C' } }
      await client.publishAsync('odd/text', 'grün', { retain: true, qos: 1, properties })
      await client.publishAsync('odd/bytes', Buffer.from([0xff, 0]), { retain: true, qos: 1 })
    })
    const records = await withSource('mqtt', config(), (opened) => recordsOf(opened, 'odd/+'))
    const sorted = records.sort((a, b) => (String(a.topic) < String(b.topic) ? -1 : 1))
    assert.deepEqual(
      sorted.map(({ id, time, topic, headers, body, bytes }) => [id, time, topic, headers, body, bytes]),
      [
        [null, null, 'odd/bytes', '{"qos":0,"retain":true}', null, Buffer.from([0xff, 0])],
        [
          null,
          null,
          'odd/text',
          '{"qos":0,"retain":true,"contentType":"text/plain","userProperties":{"unit":"°C"}}',
          'grün',
          null
        ]
      ]
    )
  })

  it('topics that are seen are found, and only those that are configured can be read', async () => {
    await administer(server, (client) =>
      Promise.all(
        Array.from({ length: COUNT }, (_, i) => client.publishAsync(`many/${i}`, String(i), { retain: true, qos: 1 }))
      )
    )
    await withSource('mqtt', config({ topics: ['many/#'] }), async (opened) => {
      const all = await opened.discover({ limit: 1000, signal: limitOfTest() })
      assert.deepEqual([all.streams.length, all.isWhole, all.streams[0]?.name], [COUNT + 1, true, 'many/#'])
      const some = await opened.discover({ limit: 10, signal: limitOfTest() })
      assert.deepEqual([some.streams.length, some.isWhole], [10, false])
      assert.equal((await recordsOf(opened, 'many/7'))[0]?.body, '7')
      assert.equal((await recordsOf(opened, 'many/+', { limit: 7 })).length, 7)
      assert.deepEqual(await recordsOf(opened, 'many/quiet'), [])
      for (const stream of ['odd/text', '#', 'many#']) {
        await assert.rejects(recordsOf(opened, stream), { code: 'not_found' }, stream)
      }
      const cursor = { column: 'id', after: null }
      await assert.rejects(recordsOf(opened, 'many/7', { cursor }), { code: 'bad_request' })
    })
  })

  it('what arrives while it is listened is read, and does not make it listen for ever', async () => {
    await administer(server, async (client) => {
      let isSending = true
      const sending = (async () => {
        for (let i = 0; isSending; i++) await client.publishAsync('live/a', String(i), { qos: 1 })
      })()
      const records = await withSource('mqtt', config(), (opened) => recordsOf(opened, 'live/a'))
      isSending = false
      await sending
      assert.ok(records.length > 0)
      assert.ok(records.every(({ headers }) => headers === '{"qos":0,"retain":false}'))
    })
  })

  it('very many retained messages are read with flat memory, however slow the reader is', async () => {
    await administer(server, async (client) => {
      for (let first = 0; first < LARGE; first += 800) {
        const numbers = Array.from({ length: 800 }, (_, i) => first + i)
        await Promise.all(
          numbers.map((i) => client.publishAsync(`large/${i}`, `message ${i}`, { retain: true, qos: 0 }))
        )
      }
      await client.publishAsync('end', '', { qos: 1 })
    })
    assert.equal(await withSource('mqtt', config(), (opened) => countFlat(opened, 'large/+', LARGE)), LARGE)
  })

  it('a read during which the broker is killed may be tried again, and has everything then', async () => {
    await server.save()
    await withSource('mqtt', config(), async (opened) => {
      let kills = 0
      const read = async () => {
        let rows = 0
        for await (const chunk of opened.read({ stream: 'large/+', signal: limitOfTest() })) {
          rows += chunk.rows
          if (rows < LARGE / 4 || kills > 0) continue
          kills += 1
          await server.restart()
        }
        return rows
      }
      await assert.rejects(read(), { name: 'SourceError', isTransient: true })
      assert.equal(await read(), LARGE)
    })
  })

  it('a connection that brings messages is not taken for dead, though an answer to a ping is late', async () => {
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    const settings = mqttSettings(config(), findSource('mqtt') as SourceFacts)
    const { connection, arrivals } = await connectListener(settings, outbound)
    const { client, lifetime } = connection
    await client.subscribeAsync('odd/text', { qos: 0 })
    assert.equal((await arrivals.take())?.length, 1)
    client.onKeepaliveTimeout()
    assert.equal(lifetime.isOver, false)
    client.onKeepaliveTimeout()
    assert.equal((await lifetime.over()).code, 'unreachable')
    await connection.close()
    await outbound.close()
  })

  it('a signal ends a read', async () => {
    await withSource('mqtt', config(), async (opened) => {
      const controller = new AbortController()
      const chunks = opened.read({ stream: 'large/+', signal: controller.signal })[Symbol.asyncIterator]()
      assert.ok(rowsOf((await chunks.next()).value).length > 0)
      controller.abort(new Error('no longer wanted'))
      await assert.rejects(chunks.next(), /no longer wanted/)
    })
  })

  it('encrypts with the authority that is given', async () => {
    const certificate = selfSigned('localhost')
    const guarded = await startMosquitto(makeFolder('drivers-mqtt-tls'), { ...USER, certificate })
    try {
      const secure = config({ host: 'localhost', port: guarded.port, tls: true, ca: certificate.cert })
      const { success, message } = await withSource('mqtt', secure, ({ steps }) => runSteps(steps, 20_000))
      assert.ok(success, message)
    } finally {
      await guarded.stop()
    }
  })
})
