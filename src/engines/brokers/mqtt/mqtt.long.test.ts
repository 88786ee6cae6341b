import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { type Mosquitto, missingMosquitto, startMosquitto } from '../../../../test/support/servers/mosquitto.ts'
import { makeFolder, removeFolder } from '../../../../test/support/servers/service.ts'
import { createOutbound } from '../../outbound/index.ts'
import { type Broker, type Message, openBroker } from '../index.ts'
import { brokerContract } from '../testing/contract.ts'
import { numbers, receive, texts } from '../testing/receiving.ts'
import { promisesOfTls } from '../testing/secure.ts'

brokerContract('MQTT', {
  kind: 'mqtt',
  missing: missingMosquitto(),
  lacks: { positions: 'MQTT has no positions' },
  async start(folder, user) {
    const server = await startMosquitto(folder, user)
    return {
      host: server.host,
      port: server.port,
      stop: () => server.stop(),
      async kill() {
        await server.save()
        await server.stop('SIGKILL')
      },
      revive: () => server.restart()
    }
  }
})

promisesOfTls('mqtt', missingMosquitto(), startMosquitto)

describe('MQTT besides', { skip: missingMosquitto() ?? false }, () => {
  const folder = makeFolder('mqtt')
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  let server: Mosquitto
  let broker: Broker
  before(async () => {
    server = await startMosquitto(folder)
    broker = await openBroker({ kind: 'mqtt', hosts: [`127.0.0.1:${server.port}`] }, { outbound })
  })
  after(async () => {
    await broker?.close()
    await outbound.close()
    await server?.stop()
    removeFolder(folder)
  })
  const publish = (topic: string, payloads: string[]) => broker.publish(payloads.map((payload) => ({ topic, payload })))

  test('a message of an earlier connection acknowledges nothing of this one', async () => {
    const options = { topics: ['plant/+/speed', 'plant/#'], group: 'readers' }
    const consumer = await broker.consume(options)
    await publish('plant/mill', numbers(1, 10))
    const taken = await receive(consumer, 10)
    await server.stop()
    await eventually(() => !consumer.state.connected)
    await assert.rejects(consumer.acknowledge(taken[9] as Message), { code: 'unreachable' })
    await server.restart()
    await eventually(() => consumer.state.connected && consumer.state.waiting === 10)
    await consumer.acknowledge(taken[9] as Message)
    assert.deepEqual(texts(await receive(consumer, 10)), numbers(1, 10))
    await consumer.close()
    const next = await broker.consume(options)
    assert.deepEqual(texts(await receive(next, 10)), numbers(1, 10))
    await next.close()
  })

  test('what waits here outlives a session that the broker has forgotten, and acknowledges nothing', async () => {
    const options = { topics: ['forgotten'], group: 'forgotten-readers' }
    const consumer = await broker.consume(options)
    await publish('forgotten', numbers(1, 10))
    await eventually(() => consumer.state.waiting === 10)
    await server.stop('SIGKILL')
    await eventually(() => !consumer.state.connected)
    await server.restart()
    await eventually(() => consumer.state.connected)
    await publish('forgotten', numbers(11, 20))
    await eventually(() => consumer.state.waiting === 20)
    const old = await receive(consumer, 10)
    assert.deepEqual(texts(old), numbers(1, 10))
    await consumer.acknowledge(old[9] as Message)
    await consumer.close()
    const next = await broker.consume(options)
    assert.deepEqual(texts(await receive(next, 10)), numbers(11, 20))
    await next.close()
  })

  test('QoS 0 comes without a session, too, and is never too much', async () => {
    const consumer = await broker.consume({ topics: ['quick/#'], qos: 0, maxWaiting: 50 })
    await publish('quick/one', numbers(1, 1000))
    await eventually(() => consumer.state.waiting === 50)
    const received: string[] = []
    while (received.length < 1000) {
      const messages = await consumer.take({ max: 30, maxBytes: 1000, waitMs: 1000 })
      assert.ok(consumer.state.waiting <= 50)
      await consumer.acknowledge(messages.at(-1) as Message)
      received.push(...texts(messages))
    }
    assert.deepEqual(received, numbers(1, 1000))
    await consumer.close()
  })
})
