import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import type { Consumer, Message } from '../index.ts'
import type { Given } from './contract.ts'
import { numbers, plenty, receive, texts } from './receiving.ts'

/** More than there are acknowledgements. */
const TURNS = 40

export function promisesOfOutages({ server, broker, newTopic, options, publish }: Given): void {
  test('nothing is lost when the broker goes away for a while and comes back', async () => {
    const topics = [await newTopic(), await newTopic()] as const
    const [consumer, other] = await Promise.all(topics.map((topic) => broker().consume(options(topic))))
    assert.ok(consumer && other)
    const [topic, otherTopic] = topics
    const elsewhere = await newTopic()
    await publish(otherTopic, numbers(1, 10))
    const before = await receive(other, 10)
    await publish(topic, numbers(1, 99))
    const taken = await receive(consumer, 60)
    await consumer.acknowledge(taken[29] as Message)
    await publish(topic, ['100'])
    // Not all brokers answer an acknowledgement, and some read one packet of a connection at a turn: when they have answered so many
    // others, they have it.
    for (let turn = 0; turn < TURNS; turn++) await publish(elsewhere, [`${turn}`])
    await eventually(() => consumer.state.waiting === 40)

    await server().kill()
    await eventually(() => !consumer.state.connected && !other.state.connected)
    assert.notEqual(consumer.state.lastError, undefined)
    await assert.rejects(publish(topic, ['lost']), { code: 'unreachable', isTransient: true })
    const meanwhile = await consumer.take(plenty)
    await server().revive()

    await eventually(() => publish(topic, numbers(101, 150)))
    await eventually(() => consumer.state.connected && other.state.connected)
    const received = [...texts(taken), ...texts(meanwhile)]
    const wanted = new Set(numbers(1, 150))
    while (wanted.difference(new Set(received)).size > 0) received.push(...texts(await receive(consumer, 1)))
    // Messages may come again unless they were acknowledged, but never before earlier ones.
    assert.deepEqual([...new Set(received)], numbers(1, 150))
    const again = new Set(received.slice(60))
    assert.deepEqual(new Set(numbers(1, 30)).intersection(again), new Set())

    await acknowledgedAfterwards(other, before)
    await Promise.all([consumer.close(), other.close()])
    const next = await broker().consume(options(otherTopic))
    await publish(otherTopic, ['11'])
    assert.deepEqual(texts(await receive(next, 1)), ['11'])
    await next.close()
  })
}

/** Messages taken from an earlier connection, or received again since. */
async function acknowledgedAfterwards(consumer: Consumer, before: readonly Message[]): Promise<void> {
  const again = consumer.state.waiting > 0 ? await receive(consumer, before.length) : before
  await consumer.acknowledge(again.at(-1) as Message)
}
