import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { MessageToProduce } from '@platformatic/kafka'
import { type KafkaMock, missingKafkaMock, startKafkaMock } from '../../../../../test/support/servers/kafka-mock.ts'
import type { KafkaRelay } from '../../../../../test/support/servers/kafka-relay.ts'
import { makeFolder } from '../../../../../test/support/servers/service.ts'
import { tries } from '../../../../../test/support/thorough.ts'
import { clientOptions } from '../../../brokers/kafka/client.ts'
import { loadKafka } from '../../../brokers/kafka/guarded-client.ts'
import { createOutbound } from '../../../outbound/index.ts'
import { selfSigned } from '../../../outbound/testing/certificate.ts'
import { runSteps } from '../../index.ts'
import { driverContract } from '../../testing/contract.ts'
import { messagesWithIds, STEPS, WRONG_PLACES, wrong } from '../testing/contract.ts'
import { countFlat, idsInParts, limitOfTest, recordsOf, withSource } from '../testing/reading.ts'

const COUNT = 10_000
const LARGE = tries(200_000, 1_000_000)
const USER = 'miller'
const PASSWORD = 'right-one, of = course'
const users = { passwords: { [USER]: PASSWORD } }

async function produce(
  { port }: KafkaMock,
  messages: readonly MessageToProduce[],
  compression: 'none' | 'gzip' = 'none'
): Promise<void> {
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  const hosts = [`127.0.0.1:${port}`]
  const endpoints = [{ host: '127.0.0.1', port, where: 'the mock' }]
  const { options } = clientOptions({ settings: { kind: 'kafka', hosts }, endpoints, outbound })
  const { Producer } = await loadKafka()
  const producer = new Producer({ ...options, autocreateTopics: true })
  for (let first = 0; first < messages.length; first += 10_000) {
    await producer.send({ messages: messages.slice(first, first + 10_000), acks: -1, compression })
  }
  await producer.close()
  await outbound.close()
}

/** Half of them in each of two partitions. */
const numbered = (topic: string, count: number): MessageToProduce[] =>
  Array.from({ length: count }, (_, i) => ({
    topic,
    partition: i % 2,
    value: Buffer.from(`message ${i}`)
  }))
const idsOf = (count: number) =>
  [0, 1].flatMap((partition) => Array.from({ length: count / 2 }, (_, i) => `${partition}:${i}`))

driverContract('Kafka as a source', {
  sourceId: 'kafka',
  missing: missingKafkaMock(),
  isStandIn: true,
  async start() {
    const mock = await startKafkaMock(makeFolder('drivers-kafka'))
    await produce(mock, numbered('readings', COUNT))
    let relay: KafkaRelay = await mock.relay({ users })
    const { port } = relay
    return {
      config: { host: mock.host, port, user: USER, password: PASSWORD },
      secrets: [PASSWORD, 'wrong-password'],
      steps: STEPS,
      wrong: {
        ...WRONG_PLACES,
        'a wrong password': wrong({ password: 'wrong-password' }, 'authenticate', 'wrong_credentials', '/password'),
        'encryption that is not there': wrong({ tls: true }, 'tls', 'tls_failed', '/tls')
      },
      stream: messagesWithIds('readings', idsOf(COUNT)),
      async present(certificate) {
        const guarded = await mock.relay({ certificate, users, advertised: { host: 'localhost' } })
        return { host: 'localhost', port: guarded.port, tls: true }
      },
      stop: () => mock.stop(),
      async restart() {
        await relay.stop()
        relay = await mock.relay({ users, port })
      }
    }
  }
})

describe('what is in Kafka', { skip: missingKafkaMock() ?? false }, () => {
  let mock: KafkaMock
  before(async () => {
    mock = await startKafkaMock(makeFolder('drivers-kafka-values'))
  })
  after(() => mock?.stop())
  const config = (port = mock.port) => ({ host: '127.0.0.1', port })

  it('messages have key, time, headers, and whatever payload they have', async () => {
    const timestamp = 1763400000123n
    const common = { topic: 'odd', partition: 0, timestamp }
    const headers = new Map([
      [Buffer.from('unit'), Buffer.from('°C')],
      [Buffer.from('raw'), Buffer.from([0xff])]
    ])
    await produce(mock, [
      { ...common, key: Buffer.from('k'), value: Buffer.from('grün'), headers },
      { ...common, key: Buffer.from([0xff]), value: Buffer.from([0xfe, 0]) },
      { ...common, value: Buffer.alloc(0) },
      { ...common, key: Buffer.from('gone') }
    ])
    const records = await withSource('kafka', config(), (opened) => recordsOf(opened, 'odd'))
    assert.deepEqual(
      records.map(({ id, topic, key, headers: json, body, bytes }) => [id, topic, key, json, body, bytes]),
      [
        ['0:0', 'odd', 'k', '{"unit":"°C","raw":{"base64":"/w=="}}', 'grün', null],
        ['0:1', 'odd', '\\xff', null, null, Buffer.from([0xfe, 0])],
        ['0:2', 'odd', null, null, '', null],
        ['0:3', 'odd', 'gone', null, null, null]
      ]
    )
    assert.ok(records.every(({ time }) => time === '2025-11-17 17:20:00.123000'))
  })

  it('a read goes on in each partition, in the middle of a batch, and after what was added', async () => {
    await produce(mock, numbered('parts', 100))
    await withSource('kafka', config(), async (opened) => {
      const ids: unknown[] = []
      let after: string | null = null
      for (let i = 0; i < 40; i++) {
        for await (const chunk of opened.read({
          stream: 'parts',
          cursor: { column: 'id', after },
          limit: 7,
          signal: limitOfTest()
        })) {
          ids.push(...(chunk.values[0] ?? []))
          after = chunk.position ?? null
        }
        if (i === 20) await produce(mock, numbered('parts', 10))
      }
      assert.deepEqual(ids.slice(0, 100), idsOf(100))
      assert.deepEqual(
        ids.slice(100).sort(),
        [0, 1].flatMap((p) => [50, 51, 52, 53, 54].map((i) => `${p}:${i}`))
      )
      assert.equal(after, '0:55,1:55,2:0,3:0')
      const at = (position: string) => recordsOf(opened, 'parts', { cursor: { column: 'id', after: position } })
      assert.equal((await at('0:55,1:54')).length, 1)
      assert.equal((await at('0:9999,1:55')).length, 55)
      await assert.rejects(at('latest'), { code: 'bad_request' })
      await assert.rejects(recordsOf(opened, 'absent'), { code: 'not_found' })
      const { streams, isWhole } = await opened.discover({ limit: 1, signal: limitOfTest() })
      assert.deepEqual([streams.length, isWhole], [1, false])
      const { streams: all } = await opened.discover({ limit: 100, signal: limitOfTest() })
      assert.ok(!all.some(({ name }) => name === 'absent'))
    })
  })

  it('a large topic is read with flat memory, and on where connections were cut: nothing twice, nothing missing', async () => {
    // The mock forgets what is beyond 5 MiB of a partition, so that a million fit in only if they are packed.
    await produce(mock, numbered('large', LARGE), 'gzip')
    assert.equal(await withSource('kafka', config(), (opened) => countFlat(opened, 'large', LARGE)), LARGE)
    let relay = await mock.relay({})
    const { port } = relay
    const ids = await withSource('kafka', config(port), (opened) =>
      idsInParts(opened, 'large', async (part) => {
        if (part >= 3) return
        await relay.stop()
        relay = await mock.relay({ port })
      })
    )
    assert.equal(ids.length, LARGE)
    assert.deepEqual(ids, idsOf(LARGE))
  })

  it('a signal ends a read', async () => {
    await withSource('kafka', config(), async (opened) => {
      const controller = new AbortController()
      const chunks = opened.read({ stream: 'large', signal: controller.signal })[Symbol.asyncIterator]()
      await chunks.next()
      controller.abort(new Error('no longer wanted'))
      await assert.rejects(chunks.next(), /no longer wanted/)
    })
  })

  it('connects to no broker that the policy refuses, though another names it', async () => {
    const { port } = await mock.relay({ advertised: { host: 'metadata.internal.example' } })
    const asked: string[] = []
    const lookup = async (name: string) => {
      asked.push(name)
      return [{ address: '10.1.2.3' }]
    }
    const outbound = createOutbound({ allowPrivateNetworks: false, allowedHosts: ['127.0.0.1'], lookup })
    await assert.rejects(
      withSource('kafka', config(port), (opened) => recordsOf(opened, 'odd'), outbound),
      { code: 'refused_by_policy' }
    )
    assert.ok(asked.includes('metadata.internal.example'))
    await outbound.close()
  })

  it('encrypts with the authority that is given, and shows a password by any mechanism', async () => {
    const certificate = selfSigned('localhost')
    const { port } = await mock.relay({ certificate, users, advertised: { host: 'localhost' } })
    for (const sasl of ['plain', 'scram-sha-256', 'scram-sha-512']) {
      const secure = { host: 'localhost', port, tls: true, ca: certificate.cert, user: USER, password: PASSWORD, sasl }
      const { success, message } = await withSource('kafka', secure, ({ steps }) => runSteps(steps, 20_000))
      assert.ok(success, message)
    }
  })
})
