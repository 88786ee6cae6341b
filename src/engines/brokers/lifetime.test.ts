import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BrokerError } from './errors.ts'
import { firstAnswering } from './first-answering.ts'
import { inWindow } from './in-window.ts'
import { KeptConnection } from './kept-connection.ts'
import { Lifetime } from './lifetime.ts'
import { Link } from './link.ts'

const away = new BrokerError('unreachable', 'away')
const never = new Promise<never>(() => {})

test('work ends with the connection, with its limit or by itself, whichever is first', async () => {
  const lifetime = new Lifetime()
  assert.equal(await lifetime.during(Promise.resolve(1)), 1)
  await assert.rejects(lifetime.during(Promise.reject(new Error('own'))), /own/)
  const late = new BrokerError('unreachable', 'late')
  await assert.rejects(lifetime.during(never, { ms: 1, error: () => late }), late)
  const cut = [lifetime.during(never), lifetime.during(never)]
  lifetime.end(away)
  lifetime.end(late)
  for (const one of cut) await assert.rejects(one, away)
  await assert.rejects(lifetime.during(never), away)
  assert.equal(await lifetime.over(), away)
})

test('no more are under way than the window allows, and none begins after a failure', async () => {
  let underWay = 0
  let most = 0
  const begun: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    underWay += 1
    most = Math.max(most, underWay)
    await new Promise(setImmediate)
    underWay -= 1
    if (item === 50) throw away
  }
  const items = Array.from({ length: 100 }, (_, i) => i)
  await assert.rejects(inWindow(items, 7, work), away)
  await new Promise(setImmediate)
  assert.equal(most, 7)
  assert.deepEqual(begun, items.slice(0, begun.length))
  assert.ok(begun.length < 60)
})

test('a kept connection is made once, and again after it ended or was dropped', async () => {
  const made: { lifetime: Lifetime; close: () => Promise<void>; isClosed: boolean }[] = []
  const kept = new KeptConnection(async () => {
    const one = {
      lifetime: new Lifetime(),
      isClosed: false,
      async close() {
        one.isClosed = true
      }
    }
    made.push(one)
    return one
  })
  const [first, same] = await Promise.all([kept.get(), kept.get()])
  assert.equal(first, same)
  first.lifetime.end(away)
  const [second, alsoSecond] = await Promise.all([kept.get(), kept.get()])
  assert.equal(second, alsoSecond)
  assert.notEqual(second, first)
  await kept.drop()
  assert.ok(second.isClosed)
  assert.notEqual(await kept.get(), second)
  assert.equal(made.length, 3)
})

test('the first endpoint that answers is used; one that refuses ends the search', async () => {
  const endpoints = ['a', 'b', 'c'].map((host) => ({ host, port: 1, where: `${host}:1` }))
  const tried: string[] = []
  const connect = (answers: Record<string, unknown>) => async (endpoint: { host: string }) => {
    tried.push(endpoint.host)
    const answer = answers[endpoint.host]
    if (answer instanceof Error) throw answer
    return answer
  }
  assert.equal(await firstAnswering(endpoints, connect({ a: away, b: 'here' })), 'here')
  const refused = new BrokerError('unauthorized', 'no')
  await assert.rejects(firstAnswering(endpoints, connect({ a: away, b: refused, c: 'here' })), refused)
  await assert.rejects(firstAnswering(endpoints, connect({ a: away, b: away, c: away })), away)
  assert.deepEqual(tried, ['a', 'b', 'a', 'b', 'a', 'b', 'c'])
})

test('a link opens sessions until it is closed, or until waiting would not help', async () => {
  const refused = new BrokerError('unauthorized', 'no')
  const sessions = [new Lifetime(), new Lifetime()]
  const opens: (() => Promise<Lifetime>)[] = [
    async () => Promise.reject(away),
    async () => sessions[0] as Lifetime,
    async () => Promise.reject(away),
    async () => sessions[1] as Lifetime,
    async () => Promise.reject(refused)
  ]
  const lost = Promise.withResolvers<BrokerError>()
  const next = sessions.map(() => Promise.withResolvers<void>())
  let open = 0
  const link = new Link({
    async open() {
      const lifetime = await (opens.shift() as () => Promise<Lifetime>)()
      next[open]?.resolve()
      open += 1
      return { over: () => lifetime.over(), close: async () => lifetime.end(away) }
    },
    onLost: lost.resolve
  })
  await link.opened()
  assert.equal(link.session, undefined)
  assert.equal(link.lastError, 'away')
  for (const [i, session] of sessions.entries()) {
    await next[i]?.promise
    session.end(away)
  }
  assert.equal(await lost.promise, refused)
  assert.equal(link.session, undefined)
  await link.close()
})
