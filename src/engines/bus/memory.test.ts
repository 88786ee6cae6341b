import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BusEvent } from './index.ts'
import { createMemoryBus } from './memory.ts'

function unexpected(error: unknown): never {
  throw error
}

/** The types of the events that a subscription to `pattern` hears of. */
function heard(pattern: string, types: readonly string[]): string[] {
  const bus = createMemoryBus(unexpected)
  const events: BusEvent[] = []
  bus.subscribe(pattern, (event) => events.push(event))
  for (const type of types) bus.publish({ type })
  return events.map(({ type }) => type)
}

test('a pattern is a type, or the beginning of one before a star', () => {
  const types = ['user.updated', 'user.updated.twice', 'user', 'users.made', 'super.user.updated', 'job.done']
  assert.deepEqual(heard('user.updated', types), ['user.updated'])
  assert.deepEqual(heard('user.*', types), ['user.updated', 'user.updated.twice'])
  assert.deepEqual(heard('user*', types), ['user.updated', 'user.updated.twice', 'user', 'users.made'])
  assert.deepEqual(heard('*', types), types)
  assert.deepEqual(heard('', types), [])
  assert.deepEqual(heard('u.er.updated', types), [])
  assert.deepEqual(heard('*.updated', types), [])
})

test('an event arrives as it was published, at every subscriber in the order they came', () => {
  const bus = createMemoryBus(unexpected)
  const order: string[] = []
  const event = { type: 'user.updated', id: 'usr_1' }
  bus.subscribe('user.*', (got) => order.push(got === event ? 'first' : 'wrong'))
  bus.subscribe('user.updated', (got) => order.push(got === event ? 'second' : 'wrong'))
  bus.publish(event)
  assert.deepEqual(order, ['first', 'second'])
})

test('a subscriber that leaves while it is told keeps the news from nobody else', () => {
  const bus = createMemoryBus(unexpected)
  const order: string[] = []
  const leave = bus.subscribe('a', () => {
    order.push('once')
    leave()
  })
  bus.subscribe('a', () => order.push('always'))
  bus.publish({ type: 'a' })
  bus.publish({ type: 'a' })
  leave()
  assert.deepEqual(order, ['once', 'always', 'always'])
})

test('one that comes while an event is told hears of the next', () => {
  const bus = createMemoryBus(unexpected)
  let late = 0
  const leave = bus.subscribe('a', () => {
    leave()
    bus.subscribe('a', () => late++)
  })
  bus.publish({ type: 'a' })
  assert.equal(late, 0)
  bus.publish({ type: 'a' })
  assert.equal(late, 1)
})

test('the same callback may subscribe twice and leaves one at a time', () => {
  const bus = createMemoryBus(unexpected)
  let calls = 0
  const count = () => calls++
  const leave = bus.subscribe('a', count)
  bus.subscribe('a', count)
  bus.publish({ type: 'a' })
  leave()
  leave()
  bus.publish({ type: 'a' })
  assert.equal(calls, 3)
})

test('a subscriber that throws is reported, and neither the publisher nor the others notice', () => {
  const reports: [unknown, BusEvent][] = []
  const bus = createMemoryBus((error, event) => reports.push([error, event]))
  const fault = new Error('mine')
  const event = { type: 'a' }
  let calls = 0
  bus.subscribe('a', () => {
    throw fault
  })
  bus.subscribe('a', () => calls++)
  bus.publish(event)
  assert.deepEqual(reports, [[fault, event]])
  assert.equal(calls, 1)
})

test('after closing nobody is told', async () => {
  const bus = createMemoryBus(unexpected)
  let calls = 0
  bus.subscribe('*', () => calls++)
  await bus.close()
  bus.publish({ type: 'a' })
  assert.equal(calls, 0)
})
