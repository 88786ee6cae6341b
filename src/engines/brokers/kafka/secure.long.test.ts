import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type KafkaMock, missingKafkaMock, startKafkaMock } from '../../../../test/support/servers/kafka-mock.ts'
import { makeFolder, removeFolder, runProgram } from '../../../../test/support/servers/service.ts'
import { createOutbound } from '../../outbound/index.ts'
import { type BrokerSettings, openBroker } from '../index.ts'
import { receive, texts } from '../testing/receiving.ts'
import { promisesOfTls } from '../testing/secure.ts'

const missing = missingKafkaMock()

promisesOfTls('kafka', missing, async (folder, { certificate }) => {
  const server = await startKafkaMock(folder)
  const { port } = await server.relay({ certificate, advertised: { host: 'broker.example' } })
  return { port, stop: () => server.stop() }
})

describe('Kafka with users and with strangers', { skip: missing ?? false }, () => {
  const folder = makeFolder('secure-kafka')
  const passwords = { miller: 'right-one, of = course' }
  let server: KafkaMock
  before(async () => {
    server = await startKafkaMock(folder)
  })
  after(async () => {
    await server.stop()
    removeFolder(folder)
  })

  for (const sasl of ['plain', 'scram-sha-256', 'scram-sha-512'] as const) {
    test(`a user is known by ${sasl}, to librdkafka's mind as well`, async (t) => {
      const { port } = await server.relay({ users: { passwords } })
      const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
      t.after(() => outbound.close())
      const open = async (settings: Partial<BrokerSettings>) => {
        const hosts = [`127.0.0.1:${port}`]
        const broker = await openBroker({ kind: 'kafka', hosts, sasl, user: 'miller', ...settings }, { outbound })
        t.after(() => broker.close())
        return broker
      }
      const topic = `of-${sasl}`
      const right = await open({ password: passwords.miller })
      await right.publish([{ topic, key: 'same', payload: 'mine' }])
      const file = join(folder, topic)
      writeFileSync(file, 'theirs')
      const login = [
        `sasl.mechanisms=${sasl.toUpperCase()}`,
        'sasl.username=miller',
        `sasl.password=${passwords.miller}`
      ]
      const settings = ['security.protocol=SASL_PLAINTEXT', ...login].flatMap((setting) => ['-X', setting])
      const args = ['-P', '-b', `127.0.0.1:${port}`, '-t', topic, '-l', ...settings, file]
      await runProgram({ command: 'kcat', args, folder })
      const consumer = await right.consume({ topics: [topic], from: 'earliest' })
      assert.deepEqual(new Set(texts(await receive(consumer, 2))), new Set(['mine', 'theirs']))
      const isFit = (error: Error & { code?: string }) => error.code === 'unauthorized' && !/-one/.test(error.message)
      for (const wrong of [{ password: 'wrong-one' }, { user: 'thief', password: 'wrong-one' }]) {
        const broker = await open(wrong)
        await assert.rejects(broker.check(), isFit)
        await assert.rejects(broker.consume({ topics: [topic] }), isFit)
      }
    })
  }

  test('an answer to a login that makes no sense is an error, and no more', async (t) => {
    const { port } = await server.relay({ users: { passwords, garbage: true } })
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    const login = { sasl: 'scram-sha-256', user: 'miller', password: 'right-one' } as const
    const broker = await openBroker({ kind: 'kafka', hosts: [`127.0.0.1:${port}`], ...login }, { outbound })
    t.after(async () => {
      await broker.close()
      await outbound.close()
    })
    await assert.rejects(broker.check(), ({ message }) => !/-one/.test(message))
  })

  test('brokers that the cluster names are called only where they may be', async (t) => {
    const lookup = async () => [{ address: '10.1.2.3' }]
    const allowedHosts = ['127.0.0.1']
    for (const host of ['169.254.169.254', '0xA9FEA9FE', '::ffff:169.254.169.254', 'inside.example', '10.0.0.1']) {
      const { port } = await server.relay({ advertised: { host, port: 80 } })
      const outbound = createOutbound({ allowPrivateNetworks: false, allowedHosts, lookup })
      const broker = await openBroker({ kind: 'kafka', hosts: [`127.0.0.1:${port}`] }, { outbound })
      t.after(async () => {
        await broker.close()
        await outbound.close()
      })
      await broker.check()
      await assert.rejects(broker.publish([{ topic: 'any', payload: 'x' }]), { code: 'refused' }, host)
      await assert.rejects(broker.consume({ topics: ['any'] }), { code: 'refused' }, host)
    }
  })

  test('one that takes connections and says nothing is unreachable, and can be left', async (t) => {
    const silent = createServer((socket) => {
      socket.on('error', () => {})
      t.after(() => socket.destroy())
    })
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    const { port } = silent.address() as AddressInfo
    const broker = await openBroker({ kind: 'kafka', hosts: [`127.0.0.1:${port}`] }, { outbound })
    t.after(async () => {
      await outbound.close()
      silent.close()
    })
    const opening = broker.consume({ topics: ['any'] })
    await assert.rejects(broker.check(), { code: 'unreachable' })
    const consumer = await opening
    assert.equal(consumer.state.connected, false)
    const started = performance.now()
    await broker.close()
    assert.ok(performance.now() - started < 5000)
  })

  test('a broker that the cluster names with a port that is none is not called', async (t) => {
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    t.after(() => outbound.close())
    for (const port of [0, -1, 0x7fffffff]) {
      const relay = await server.relay({ advertised: { host: '127.0.0.1', port } })
      const broker = await openBroker({ kind: 'kafka', hosts: [`127.0.0.1:${relay.port}`] }, { outbound })
      t.after(() => broker.close())
      await assert.rejects(broker.publish([{ topic: 'any', payload: 'x' }]), { code: 'invalid' })
    }
  })
})
