import assert from 'node:assert/strict'
import type { Consumer, Message } from '../index.ts'

export const plenty = { max: 10_000, maxBytes: 64 * 1024 * 1024, waitMs: 1000 }

/** Takes messages until there are so many. */
export async function receive(consumer: Consumer, count: number, timeoutMs = 60_000): Promise<Message[]> {
  const messages: Message[] = []
  const end = performance.now() + timeoutMs
  while (messages.length < count) {
    assert.ok(performance.now() < end, `${messages.length} of ${count} messages came within ${timeoutMs} ms`)
    messages.push(...(await consumer.take({ ...plenty, max: count - messages.length })))
  }
  return messages
}

export function texts(messages: readonly Message[]): string[] {
  return messages.map(({ payload }) => Buffer.from(payload).toString())
}

/** `from`, …, `to` as text. */
export function numbers(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => String(from + i))
}
