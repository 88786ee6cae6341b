import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import type { Message } from '../index.ts'
import type { Given } from './contract.ts'
import { unlessLacking } from './lacking.ts'
import { numbers, plenty, receive, texts } from './receiving.ts'

export function promisesOfDelivery({ broker, newTopic, options, publish, lacks }: Given): void {
  test('messages come in the order in which they were published, with their topic and any bytes', async () => {
    const topic = await newTopic()
    const consumer = await broker().consume(options(topic))
    await publish(topic, numbers(1, 500))
    const messages = await receive(consumer, 500)
    assert.deepEqual(texts(messages), numbers(1, 500))
    assert.deepEqual(new Set(messages.map((message) => message.topic)), new Set([topic]))
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    await broker().publish([{ topic, payload: bytes.subarray(1) }])
    assert.deepEqual(Uint8Array.from((await receive(consumer, 1))[0]?.payload as Uint8Array), bytes.subarray(1))
    await consumer.close()
  })

  test('what was not acknowledged comes again to the next consumer of the group, and nothing else', async () => {
    const topic = await newTopic()
    const first = await broker().consume(options(topic))
    await publish(topic, numbers(1, 10))
    const taken = await receive(first, 8)
    await first.acknowledge(taken[1] as Message)
    await first.acknowledge(taken[4] as Message)
    await first.close()
    const second = await broker().consume(options(topic))
    const again = await receive(second, 5)
    assert.deepEqual(texts(again), numbers(6, 10))
    await second.acknowledge(again[4] as Message)
    await second.close()
    const third = await broker().consume(options(topic))
    await publish(topic, ['11'])
    assert.deepEqual(texts(await receive(third, 1)), ['11'])
    await third.close()
  })

  unlessLacking(lacks.positions, 'positions go before what the group has acknowledged', async () => {
    const topic = await newTopic()
    const first = await broker().consume(options(topic))
    await publish(topic, numbers(1, 10))
    const taken = await receive(first, 10)
    await first.acknowledge(taken[4] as Message)
    await first.close()
    const positionOf = (index: number) => {
      const position = taken[index]?.position
      return position ? { [position.of]: position.at } : {}
    }
    for (const [index, rest] of [
      [1, numbers(3, 10)],
      [7, numbers(9, 10)]
    ] as const) {
      const consumer = await broker().consume({ ...options(topic), positions: positionOf(index) })
      assert.deepEqual(texts(await receive(consumer, rest.length)), rest)
      await consumer.close()
    }
  })

  test('a group without a position begins with what comes, unless told otherwise', async () => {
    const topic = await newTopic()
    await publish(topic, numbers(1, 3))
    const consumer = await broker().consume({ ...options(topic), from: 'latest' })
    await publish(topic, numbers(4, 6))
    assert.deepEqual(texts(await receive(consumer, 3)), numbers(4, 6))
    await consumer.close()
  })

  test('no more than was asked for waits here, and nothing is lost by that', async () => {
    const topic = await newTopic()
    const count = 20_000
    const consumer = await broker().consume({ ...options(topic), maxWaiting: 500 })
    const payloads = numbers(1, count).map((text) => text.padEnd(100))
    for (let i = 0; i < count; i += 5000) await publish(topic, payloads.slice(i, i + 5000))
    await eventually(() => consumer.state.waiting >= 500)
    const received: string[] = []
    while (received.length < count) {
      const { waiting } = consumer.state
      assert.ok(waiting <= 500, `${waiting} wait`)
      const messages = await consumer.take({ ...plenty, max: 400 })
      if (messages.length > 0) await consumer.acknowledge(messages.at(-1) as Message)
      received.push(...texts(messages))
    }
    assert.deepEqual(received, payloads)
    await consumer.close()
  })

  test('taking waits no longer than it was told to', async () => {
    const consumer = await broker().consume(options(await newTopic()))
    assert.deepEqual(await consumer.take({ ...plenty, waitMs: 0 }), [])
    assert.deepEqual(await consumer.take({ ...plenty, waitMs: 20 }), [])
    const stop = new AbortController()
    const waiting = consumer.take({ ...plenty, waitMs: 60_000, signal: stop.signal })
    stop.abort()
    assert.deepEqual(await waiting, [])
    const open = consumer.take({ ...plenty, waitMs: 60_000 })
    await Promise.all([assert.rejects(open, { code: 'closed' }), consumer.close()])
    await assert.rejects(consumer.take(plenty), { code: 'closed' })
  })
}
