import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventOf } from './index.ts'
import { createMemoryBus } from './memory.ts'

interface News {
  'user.updated': { readonly id?: string }
  'user.updated.twice': object
  user: object
  'users.made': object
  'super.user.updated': object
  'job.done': object
  a: object
}

function unexpected(error: unknown): never {
  throw error
}

/** The types of the events that a subscriber to `pattern` gets. */
function heard(pattern: string, types: readonly (keyof News)[]): string[] {
  const bus = createMemoryBus<News>(unexpected)
  const events: EventOf<News>[] = []
  bus.subscribe(pattern as '*', (event) => events.push(event))
  for (const type of types) bus.publish({ type })
  return events.map(({ type }) => type)
}

test('a pattern is a type, or the beginning of one before a star', () => {
  const types = ['user.updated', 'user.updated.twice', 'user', 'users.made', 'super.user.updated', 'job.done'] as const
  assert.deepEqual(heard('user.updated', types), ['user.updated'])
  assert.deepEqual(heard('user.*', types), ['user.updated', 'user.updated.twice'])
  assert.deepEqual(heard('user*', types), ['user.updated', 'user.updated.twice', 'user', 'users.made'])
  assert.deepEqual(heard('*', types), types)
  assert.deepEqual(heard('', types), [])
  assert.deepEqual(heard('u.er.updated', types), [])
  assert.deepEqual(heard('*.updated', types), [])
})

test('an event arrives as it was published, at every subscriber in the order they came', () => {
  const bus = createMemoryBus<News>(unexpected)
  const order: string[] = []
  const event = { type: 'user.updated', id: 'usr_1' } as const
  bus.subscribe('user.*', (got) => order.push(got === event ? 'first' : 'wrong'))
  bus.subscribe('user.updated', (got) => order.push(got === event ? 'second' : 'wrong'))
  bus.publish(event)
  assert.deepEqual(order, ['first', 'second'])
})

test('a subscriber that leaves while it is told keeps the news from nobody else', () => {
  const bus = createMemoryBus<News>(unexpected)
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
  const bus = createMemoryBus<News>(unexpected)
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
  const bus = createMemoryBus<News>(unexpected)
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
  const reports: [unknown, EventOf<News>][] = []
  const bus = createMemoryBus<News>((error, event) => reports.push([error, event]))
  const fault = new Error('mine')
  const event = { type: 'a' } as const
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
  const bus = createMemoryBus<News>(unexpected)
  let calls = 0
  bus.subscribe('*', () => calls++)
  await bus.close()
  bus.publish({ type: 'a' })
  assert.equal(calls, 0)
})

test('what is not declared, or says something else than is declared, does not compile', () => {
  const bus = createMemoryBus<News>(unexpected)
  // @ts-expect-error nobody declares it
  bus.publish({ type: 'user.promoted' })
  // @ts-expect-error an identifier is text
  bus.publish({ type: 'user.updated', id: 1 })
  // @ts-expect-error nobody would ever be told
  bus.subscribe('user.promoted', () => {})
  // @ts-expect-error nor of any of these
  bus.subscribe('lamp.*', () => {})
  bus.subscribe('user.*', (event) => {
    // @ts-expect-error it is no part of any of them
    assert.equal(event.name, undefined)
    if (event.type === 'user.updated') assert.equal(event.id, 'usr_1')
  })
  bus.publish({ type: 'user.updated', id: 'usr_1' })
})
