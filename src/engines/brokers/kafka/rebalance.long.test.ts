import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingKafkaMock, startKafkaMock } from '../../../../test/support/servers/kafka-mock.ts'
import { makeFolder, removeFolder } from '../../../../test/support/servers/service.ts'
import { createOutbound } from '../../outbound/index.ts'
import { type Consumer, type Message, openBroker } from '../index.ts'
import { numbers, plenty, receive, texts } from '../testing/receiving.ts'

test('nothing is lost, and order is kept, when another consumer joins the group and leaves', {
  skip: missingKafkaMock() ?? false
}, async (t) => {
  const folder = makeFolder('rebalance')
  const server = await startKafkaMock(folder)
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  const broker = await openBroker({ kind: 'kafka', hosts: [`127.0.0.1:${server.port}`] }, { outbound })
  t.after(async () => {
    await broker.close()
    await outbound.close()
    await server.stop()
    removeFolder(folder)
  })
  const publish = (payloads: string[]) =>
    broker.publish(payloads.map((payload, i) => ({ topic: 'shared', key: `key-${i % 40}`, payload })))
  const options = { topics: ['shared'], group: 'readers', from: 'earliest', maxWaiting: 300 } as const
  await publish(numbers(1, 2000))
  const first = await broker.consume(options)
  const head = await receive(first, 100)
  await first.acknowledge(head.at(-1) as Message)
  const second = await broker.consume(options)
  await publish(numbers(2001, 4000))
  const received = head.map((message) => ({ consumer: first, message }))
  const drain = async (consumer: Consumer, isDone: () => boolean) => {
    while (!isDone()) {
      const messages = await consumer.take({ ...plenty, max: 70, waitMs: 20 })
      received.push(...messages.map((message) => ({ consumer, message })))
      // During a rebalance nothing can be acknowledged.
      if (messages.length > 0) await consumer.acknowledge(messages.at(-1) as Message).catch(() => {})
    }
  }
  const seen = () => new Set(texts(received.map(({ message }) => message)))
  await Promise.all([first, second].map((consumer) => drain(consumer, () => seen().size >= 4000)))
  for (const consumer of [first, second]) assert.ok(received.some((one) => one.consumer === consumer))
  await second.close()
  await publish(numbers(4001, 4200))
  await drain(first, () => seen().size >= 4200)
  assert.deepEqual(seen(), new Set(numbers(1, 4200)))
  for (const [of, those] of Map.groupBy(received, ({ message }) => message.position?.of)) {
    const firsts = [...new Set(those.map(({ message }) => Number(message.position?.at)))]
    assert.deepEqual(
      firsts,
      firsts.toSorted((a, b) => a - b),
      `order in ${of}`
    )
  }
  await first.close()
})
