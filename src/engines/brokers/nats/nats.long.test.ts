import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { eventually } from '../../../../test/support/eventually.ts'
import { missingNats, type Nats, startNats } from '../../../../test/support/servers/nats.ts'
import { makeFolder, removeFolder } from '../../../../test/support/servers/service.ts'
import { createOutbound } from '../../outbound/index.ts'
import { type Broker, BrokerError, type Message, openBroker } from '../index.ts'
import { brokerContract } from '../testing/contract.ts'
import { numbers, plenty, receive, texts } from '../testing/receiving.ts'
import { promisesOfTls } from '../testing/secure.ts'

brokerContract('JetStream', {
  kind: 'nats',
  missing: missingNats(),
  lacks: {},
  async start(folder, user) {
    const server = await startNats(folder, user)
    return {
      host: server.host,
      port: server.port,
      stop: () => server.stop(),
      kill: () => server.stop('SIGKILL'),
      revive: () => server.restart()
    }
  },
  async prepare({ hosts }, topic) {
    const client = await connect({ servers: [...hosts] })
    const manager = await jetstreamManager(client)
    await manager.streams.add({ name: `stream-of-${topic}`, subjects: [topic] })
    await client.close()
  },
  streamOf: (topic) => `stream-of-${topic}`
})

promisesOfTls('nats', missingNats(), startNats)

describe('NATS besides', { skip: missingNats() ?? false }, () => {
  const folder = makeFolder('nats')
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  let server: Nats
  let broker: Broker
  let client: NatsConnection
  let manager: JetStreamManager
  before(async () => {
    server = await startNats(folder, { maxPayloadBytes: 16 * 1024 * 1024 })
    broker = await openBroker({ kind: 'nats', hosts: [`127.0.0.1:${server.port}`] }, { outbound })
    client = await connect({ servers: `127.0.0.1:${server.port}` })
    manager = await jetstreamManager(client)
  })
  after(async () => {
    await client?.close()
    await broker?.close()
    await outbound.close()
    await server?.stop()
    removeFolder(folder)
  })

  test('without a stream, several subjects are received, shared by a group, and never too many', async () => {
    const options = { topics: ['core.*', 'deep.>'], group: 'sharers', maxWaiting: 100 }
    const consumers = await Promise.all([broker.consume(options), broker.consume(options)])
    const payloads = numbers(1, 5000).map((text) => text.padEnd(1000))
    await broker.publish(payloads.map((payload, i) => ({ topic: i % 2 === 0 ? 'core.a' : 'deep.b.c', payload })))
    const received: string[][] = [[], []]
    const chunk = 100 * 1024
    while (received.flat().length < payloads.length) {
      for (const [i, consumer] of consumers.entries()) {
        assert.ok(consumer.state.waiting <= 100 + chunk / 1000, `${consumer.state.waiting} wait`)
        received[i]?.push(...texts(await consumer.take({ ...plenty, max: 90, waitMs: 5 })))
      }
    }
    assert.deepEqual(new Set(received.flat()), new Set(payloads))
    for (const those of received) {
      assert.ok(those.length > 1000)
      assert.deepEqual(
        those,
        those.toSorted((a, b) => Number(a) - Number(b))
      )
    }
    await Promise.all(consumers.map((consumer) => consumer.close()))
  })

  test('a message larger than all that may wait here comes nevertheless, in its place', async () => {
    await manager.streams.add({ name: 'large', subjects: ['large.>'] })
    const options = { topics: ['large.>'], stream: 'large', maxWaitingBytes: 50_000 }
    const consumer = await broker.consume({ ...options, group: 'readers' })
    const payloads = ['small', 'x'.repeat(10 * 1024 * 1024), 'y'.repeat(60_000), 'last']
    await broker.publish(
      payloads.map((payload) => ({ topic: 'large.one', payload })),
      { stream: 'large' }
    )
    assert.deepEqual(texts(await receive(consumer, 4)), payloads)
    await consumer.close()
  })

  test('a consumer that is deleted on the server is made again, and a stream that is new is read from its start', async () => {
    await manager.streams.add({ name: 'fickle', subjects: ['fickle'] })
    const options = { topics: ['fickle'], stream: 'fickle', group: 'readers' }
    const consumer = await broker.consume(options)
    const publish = (payloads: string[]) =>
      broker.publish(
        payloads.map((payload) => ({ topic: 'fickle', payload })),
        { stream: 'fickle' }
      )
    await publish(numbers(1, 3))
    const taken = await receive(consumer, 3)
    await consumer.acknowledge(taken[1] as Message)
    await manager.consumers.delete('fickle', 'readers')
    await eventually(() => consumer.state.lastError !== undefined)
    await publish(['4'])
    assert.deepEqual(texts(await receive(consumer, 1)), ['4'])
    await consumer.close()
    await manager.streams.delete('fickle')
    await manager.streams.add({ name: 'fickle', subjects: ['fickle'] })
    await publish(['new'])
    const next = await broker.consume({ ...options, positions: { fickle: '4' } })
    assert.deepEqual(texts(await receive(next, 1)), ['new'])
    await next.close()
  })

  test('a work queue gives each message out until it is acknowledged', async () => {
    await manager.streams.add({ name: 'work', subjects: ['work'], retention: 'workqueue' })
    const options = { topics: ['work'], stream: 'work', group: 'workers' }
    const first = await broker.consume(options)
    await broker.publish(
      numbers(1, 5).map((payload) => ({ topic: 'work', payload })),
      { stream: 'work' }
    )
    await first.acknowledge((await receive(first, 5))[2] as Message)
    await first.close()
    const second = await broker.consume(options)
    assert.deepEqual(texts(await receive(second, 2)), numbers(4, 5))
    await second.close()
  })

  test('what is not there is said to be missing', async () => {
    const nowhere = { topics: ['x'], stream: 'nowhere', group: 'readers' }
    await assert.rejects(broker.consume(nowhere), { code: 'not_found', isTransient: false })
    await assert.rejects(broker.publish([{ topic: 'large.one', payload: 'x' }], { stream: 'nowhere' }), BrokerError)
    await assert.rejects(broker.consume({ topics: ['x'], stream: 'large', positions: { large: 'x' } }), {
      code: 'invalid'
    })
    await assert.rejects(broker.consume({ topics: ['x'], stream: 'a b' }), { code: 'invalid' })
  })
})
