import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { missingRabbitMq, type RabbitMq, startRabbitMq } from '../../../../../test/support/servers/rabbitmq.ts'
import { makeFolder } from '../../../../../test/support/servers/service.ts'
import { startTlsFront } from '../../../../../test/support/servers/tls-front.ts'
import { tries } from '../../../../../test/support/thorough.ts'
import { selfSigned } from '../../../outbound/testing/certificate.ts'
import { runSteps } from '../../index.ts'
import { driverContract } from '../../testing/contract.ts'
import { messagesWithIds, STEPS, WRONG_PLACES, wrong } from '../testing/contract.ts'
import { countFlat, idsInParts, limitOfTest, recordsOf, withSource } from '../testing/reading.ts'
import { publish } from './testing/publisher.ts'

const COUNT = 25_000
const LARGE = tries(150_000, 1_000_000)
const certificate = selfSigned('localhost')

const makeQueue = (server: RabbitMq, name: string, type: 'stream' | 'classic' | 'quorum', more = {}) =>
  server.manage('PUT', `/queues/%2F/${name}`, { durable: true, arguments: { 'x-queue-type': type, ...more } })

const configOf = ({ host, port, managementPort, user, password }: RabbitMq) => ({
  host,
  port,
  managementPort,
  user,
  password
})

const fill = (server: RabbitMq, routingKey: string, count: number) =>
  publish(server, { routingKey }, count, (index) => ({ body: `message ${index}` }))

driverContract('RabbitMQ as a source', {
  sourceId: 'rabbitmq',
  missing: missingRabbitMq(),
  async start() {
    const server = await startRabbitMq(makeFolder('drivers-rabbitmq'), certificate)
    await makeQueue(server, 'readings', 'stream')
    await fill(server, 'readings', COUNT)
    const config = configOf(server)
    const fronts = [await startTlsFront(server.port), await startTlsFront(server.managementPort)] as const
    return {
      config,
      secrets: [server.password, 'wrong-password'],
      steps: STEPS,
      wrong: {
        ...WRONG_PLACES,
        'a wrong password': wrong({ password: 'wrong-password' }, 'authenticate', 'wrong_credentials', '/password'),
        'no user': wrong({ user: '', password: '' }, 'authenticate', 'wrong_credentials', '/password'),
        'a virtual host that is not there': wrong({ vhost: 'absent' }, 'authenticate', 'not_found', '/vhost'),
        'encryption that is not there': wrong({ tls: true }, 'tls', 'tls_failed', '/tls'),
        'encryption that is wanted': wrong({ port: server.tlsPort }, 'tls', 'tls_failed', '/tls'),
        'another protocol': wrong({ port: server.managementPort }, 'authenticate', 'unavailable', '/port'),
        'a certificate that nobody vouches for': wrong(
          { port: server.tlsPort, tls: true, host: 'localhost' },
          'tls',
          'tls_failed',
          '/tls'
        ),
        'a closed management port': wrong({ managementPort: 1 }, 'list', 'unreachable', '/managementPort'),
        'queues that are not there': wrong({ queues: ['absent'] }, 'list', 'not_found', '/queues'),
        'nothing to ask for queues': wrong({ managementPort: undefined }, 'list', 'bad_request', '/queues')
      },
      stream: messagesWithIds(
        'readings',
        Array.from({ length: COUNT }, (_, index) => String(index))
      ),
      async makeStranger() {
        await server.manage('PUT', '/users/stranger', { password: 'stranger', tags: 'management' })
        await server.manage('PUT', '/permissions/%2F/stranger', { configure: '^$', write: '^$', read: '^$' })
        return { user: 'stranger', password: 'stranger' }
      },
      execute: (statement) => server.control(statement),
      present(certificate) {
        for (const front of fronts) front.present(certificate)
        const [{ port }, { port: managementPort }] = fronts
        return { host: 'localhost', port, managementPort, tls: true }
      },
      async stop() {
        for (const front of fronts) await front.stop()
        await server.stop()
      },
      restart: () => server.restart()
    }
  }
})

describe('what is in RabbitMQ', { skip: missingRabbitMq() ?? false }, () => {
  let server: RabbitMq
  before(async () => {
    server = await startRabbitMq(makeFolder('drivers-rabbitmq-values'), certificate)
  })
  after(() => server?.stop())
  const config = () => configOf(server)

  it('messages have routing key, time, properties, headers, and whatever body they have', async () => {
    await makeQueue(server, 'odd', 'stream')
    const messages = [
      { body: 'grün', contentType: 'text/plain', headers: { big: 2n ** 60n, unit: '°C' } },
      { body: Buffer.from([0xff, 0]), seconds: 1_763_400_000n },
      { body: '' },
      { body: 'x'.repeat(900_000) }
    ]
    await publish(server, { routingKey: 'odd' }, messages.length, (index) => messages[index] ?? { body: '' })
    const records = await withSource('rabbitmq', config(), (opened) => recordsOf(opened, 'odd'))
    const nothing = '{"exchange":""}'
    assert.deepEqual(
      records.map(({ id, time, topic, key, headers, body, bytes }) => {
        return [id, time, topic, key, headers, body === null ? null : String(body).length, bytes]
      }),
      [
        [
          '0',
          null,
          'odd',
          null,
          '{"exchange":"","content_type":"text/plain","headers":{"big":"1152921504606846976","unit":"°C"}}',
          4,
          null
        ],
        ['1', '2025-11-17 17:20:00.000000', 'odd', null, nothing, null, Buffer.from([0xff, 0])],
        ['2', null, 'odd', null, nothing, 0, null],
        ['3', null, 'odd', null, nothing, 900_000, null]
      ]
    )
    assert.equal(records[0]?.body, 'grün')
  })

  it('queues that are no streams are listed and not read, and keep what they have as it was', async () => {
    for (const type of ['classic', 'quorum'] as const) {
      await makeQueue(server, `work.${type}`, type)
      await fill(server, `work.${type}`, 10)
    }
    const queues = ['work.classic', 'work.quorum', 'odd', 'absent']
    for (const named of [{}, { queues, managementPort: undefined }]) {
      await withSource('rabbitmq', { ...config(), ...named }, async (opened) => {
        const { streams, isWhole } = await opened.discover({ limit: 100, signal: limitOfTest() })
        const found = streams.map(({ name, isReadable }) => `${name} ${isReadable}`).sort()
        assert.deepEqual([found, isWhole], [['odd true', 'work.classic false', 'work.quorum false'], true])
        for (const name of ['work.classic', 'work.quorum']) {
          await assert.rejects(recordsOf(opened, name), { code: 'bad_request', message: /takes messages/ })
        }
        assert.match((await runSteps(opened.steps, 20_000)).message, /odd can be read/)
      })
    }
    for (const name of ['work.classic', 'work.quorum']) {
      const taken = (await server.manage('POST', `/queues/%2F/${name}/get`, {
        count: 100,
        ackmode: 'ack_requeue_false',
        encoding: 'auto'
      })) as readonly { payload: string; redelivered: boolean }[]
      assert.deepEqual(
        taken.map(({ payload, redelivered }) => [payload, redelivered]),
        Array.from({ length: 10 }, (_, index) => [`message ${index}`, false])
      )
    }
  })

  it('a stream that is empty or made anew is read from its beginning, and a position that is none is refused', async () => {
    await makeQueue(server, 'empty', 'stream')
    await withSource('rabbitmq', config(), async (opened) => {
      const at = (after: string) => recordsOf(opened, 'empty', { cursor: { column: 'id', after } })
      assert.deepEqual(await recordsOf(opened, 'empty'), [])
      await fill(server, 'empty', 1)
      assert.equal((await at('12'))[0]?.body, 'message 0')
      assert.deepEqual(await at('0'), [])
      await assert.rejects(at('x'), { code: 'bad_request' })
      for (const name of ['absent', 'ä'.repeat(200)]) {
        await assert.rejects(recordsOf(opened, name), { code: 'not_found' }, name)
      }
      const { streams, isWhole } = await opened.discover({ limit: 1, signal: limitOfTest() })
      assert.deepEqual([streams.length, isWhole], [1, false])
    })
  })

  it('a stream that forgets what is old is read from the first that it still has', async () => {
    const tiny = { 'x-max-length-bytes': 200_000, 'x-stream-max-segment-size-bytes': 50_000 }
    await makeQueue(server, 'forgetful', 'stream', tiny)
    const rounds = 40
    for (let round = 0; round < rounds; round++) {
      await publish(server, { routingKey: 'forgetful' }, 50, (index) => ({
        body: `${round * 50 + index} ${'x'.repeat(1000)}`
      }))
    }
    const records = await withSource('rabbitmq', config(), (opened) =>
      recordsOf(opened, 'forgetful', { cursor: { column: 'id', after: '0' } })
    )
    const numbers = records.map(({ body }) => Number(String(body).split(' ')[0]))
    const first = numbers[0] ?? 0
    assert.ok(first > 1)
    assert.deepEqual(
      numbers,
      Array.from({ length: rounds * 50 - first }, (_, index) => first + index)
    )
  })

  it('a large stream is read with flat memory, and on where the server was killed: nothing twice, nothing missing', async () => {
    await makeQueue(server, 'large', 'stream')
    await fill(server, 'large', LARGE)
    assert.equal(await withSource('rabbitmq', config(), (opened) => countFlat(opened, 'large', LARGE)), LARGE)
    const ids = await withSource('rabbitmq', config(), (opened) =>
      idsInParts(opened, 'large', async (part) => {
        if (part < 3) await server.restart()
      })
    )
    assert.equal(ids.length, LARGE)
    assert.ok(ids.every((id, index) => id === String(index)))
  })

  it('a signal ends a read, and so does closing the source', async () => {
    await withSource('rabbitmq', config(), async (opened) => {
      const controller = new AbortController()
      const chunks = opened.read({ stream: 'large', signal: controller.signal })[Symbol.asyncIterator]()
      await chunks.next()
      controller.abort(new Error('no longer wanted'))
      await assert.rejects(chunks.next(), /no longer wanted/)
      const others = opened.read({ stream: 'large', signal: limitOfTest() })[Symbol.asyncIterator]()
      await others.next()
      await opened.close()
      await assert.rejects(others.next(), { code: 'unavailable' })
    })
  })

  it('says what a user lacks to enter a virtual host and to list queues, and this gives it', async () => {
    await server.manage('PUT', '/users/guest2', { password: 'guest2', tags: '' })
    const tested = () =>
      withSource('rabbitmq', { ...config(), user: 'guest2', password: 'guest2' }, ({ steps }) =>
        runSteps(steps, 20_000)
      )
    for (const step of ['authenticate', 'list']) {
      const { checks, grants } = await tested()
      const failed = checks.find(({ ok }) => !ok)
      assert.deepEqual([failed?.name, failed?.code, failed?.pointer], [step, 'missing_permission', '/user'])
      for (const grant of grants) await server.control(grant)
    }
    assert.ok((await tested()).success)
  })

  it('encrypts where asked, with the authority that is given, and not for another host', async () => {
    const secure = {
      ...config(),
      host: 'localhost',
      port: server.tlsPort,
      tls: true,
      ca: certificate.cert,
      managementPort: undefined,
      queues: ['odd']
    }
    const tested = (changes = {}) =>
      withSource('rabbitmq', { ...secure, ...changes }, ({ steps }) => runSteps(steps, 20_000))
    const { success, message } = await tested()
    assert.ok(success, message)
    assert.match((await tested({ host: '127.0.0.1' })).message, /not for the host/)
  })

  it('says that a certificate has expired', async () => {
    const expired = selfSigned('localhost', '210101000000Z')
    const other = await startRabbitMq(makeFolder('drivers-rabbitmq-expired'), expired)
    try {
      const secure = { ...configOf(other), host: 'localhost', port: other.tlsPort, tls: true, ca: expired.cert }
      const { checks } = await withSource('rabbitmq', secure, ({ steps }) => runSteps(steps, 20_000))
      const failed = checks.find(({ ok }) => !ok)
      assert.deepEqual([failed?.name, failed?.code], ['tls', 'tls_failed'])
      assert.match(failed?.message ?? '', /expired/)
    } finally {
      await other.stop()
    }
  })
})
