// Once: no database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { createOutbound, type Outbound } from '../../outbound/index.ts'
import { type Reply, ToldServer } from '../testing/http-server.ts'
import { Budget, sharedBudget } from './budget.ts'
import { Caller } from './caller.ts'
import { pauseTold, waitTold } from './limits.ts'
import type { Outgoing, Signer } from './outgoing.ts'
import { HastyClock } from './testing/hasty-clock.ts'

const signal = () => AbortSignal.timeout(30_000)
const SECRET = 's3cret-token'

describe('calls of declared services', () => {
  let replies: Reply[] = []
  const server = new ToldServer(() => replies.shift() ?? { body: { ok: true } })
  let outbound: Outbound
  let origin = ''
  before(async () => {
    origin = `http://127.0.0.1:${await server.start()}`
    outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  })
  after(async () => {
    await outbound.close()
    server.stop()
  })

  const signer = (renew: () => boolean = () => false): Signer => ({
    sign: async (request) => ({ ...request, headers: { ...request.headers, authorization: `Bearer ${SECRET}` } }),
    renew
  })
  const request = (): Outgoing => ({ method: 'GET', url: new URL(`${origin}/x?a=b`), headers: {}, body: undefined })

  async function call(told: Reply[], more: Partial<ConstructorParameters<typeof Caller>[0]> = {}) {
    replies = [...told]
    server.reset()
    const clock = new HastyClock()
    const budget = new Budget(clock)
    const caller = new Caller({
      outbound,
      clock,
      signer: signer(),
      budget,
      secretPointer: '/token',
      random: () => 1,
      ...more
    })
    const answer = await caller.call(request(), signal())
    return { answer, clock, asked: server.asked.length }
  }
  const times = (count: number, reply: Reply) => Array.from({ length: count }, () => reply)

  it('say who is calling, with each attempt', async () => {
    const { answer, asked } = await call([{ status: 502 }])
    assert.deepEqual(answer.body, { ok: true })
    assert.equal(asked, 2)
    for (const { headers } of server.asked) assert.equal(headers.authorization, `Bearer ${SECRET}`)
  })

  it('are tried again with growing waits, at most five times', async () => {
    const { clock } = await call(times(5, { status: 500 }))
    assert.deepEqual(clock.waits, [500, 1000, 2000, 4000, 8000])
    await assert.rejects(call(times(6, { status: 503 })), { code: 'unavailable', isTransient: true })
    await assert.rejects(call(times(6, { status: 504 })), { code: 'timeout' })
  })

  it('wait as long as the service says, and not longer than five minutes', async () => {
    const { clock } = await call([
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 503, headers: { 'retry-after': '3' } },
      { status: 429, headers: { 'x-ratelimit-reset': '4' } }
    ])
    assert.equal(clock.elapsed(), 14_000)
    await assert.rejects(call([{ status: 429, headers: { 'retry-after': '301' } }]), {
      code: 'rate_limited',
      message: /asked again at 2026-01-01T00:05:01 UTC/
    })
    await assert.rejects(call(times(40, { status: 429 })), { code: 'rate_limited' })
  })

  it('tell moments by the clock of the service, however wrong it is', () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    const date = 'Thu, 01 Jan 2026 05:00:00 GMT'
    assert.equal(waitTold({ date, 'retry-after': 'Thu, 01 Jan 2026 05:00:09 GMT' }, now), 9000)
    assert.equal(waitTold({ date, 'x-ratelimit-reset': String(Date.parse('2026-01-01T05:00:03Z') / 1000) }, now), 3000)
    assert.equal(waitTold({ 'ratelimit-reset': '30' }, now), 30_000)
    assert.equal(waitTold({ 'x-ratelimit-reset': String(now + 5000) }, now), 5000)
    assert.equal(waitTold({ 'retry-after': 'soon' }, now), undefined)
    assert.equal(pauseTold({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2' }, now), 2000)
    assert.equal(pauseTold({ 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '2' }, now), undefined)
  })

  it('fetch another token once', async () => {
    let renewed = 0
    const again = signer(() => {
      renewed += 1
      return true
    })
    await call([{ status: 401 }], { signer: again })
    assert.equal(renewed, 1)
    await assert.rejects(call(times(2, { status: 401 }), { signer: again }), {
      code: 'wrong_credentials',
      pointer: '/token'
    })
    await assert.rejects(call([{ status: 401 }]), { code: 'wrong_credentials', pointer: '/token' })
  })

  it('are tried once more where a token that was good is refused, and told then', async () => {
    const clock = new HastyClock()
    const caller = new Caller({ outbound, clock, signer: signer(), budget: undefined, secretPointer: '/token' })
    const ask = (told: Reply[]) => {
      replies = [...told]
      server.reset()
      return caller.call(request(), signal())
    }
    await ask([])
    assert.equal((await ask([{ status: 401 }])).status, 200)
    await assert.rejects(ask(times(2, { status: 401 })), { code: 'wrong_credentials' })
    assert.equal(server.asked.length, 2)
  })

  it('are not tried again where an answer is too large', async () => {
    const large = { body: 'x'.repeat(33 << 20) }
    await assert.rejects(call(times(2, large)), { code: 'bad_request', message: /larger than 32 MiB/ })
    assert.equal(server.asked.length, 1)
  })

  it('say where nothing is, without secrets', async () => {
    const asked = { ...request(), url: new URL(`${origin}/bot${encodeURIComponent('s3cret/token')}/things?key=abc`) }
    replies = [{ status: 404, body: { message: 'no such thing' } }]
    const needs = { outbound, clock: new HastyClock(), signer: signer(), budget: undefined, secretPointer: '/token' }
    const caller = new Caller({ ...needs, secrets: ['s3cret/token'] })
    await assert.rejects(caller.call(asked, signal()), {
      code: 'not_found',
      message: 'There is nothing at /bot…/things: no such thing'
    })
  })

  it('say what is wrong and what to do, without secrets', async () => {
    const body = { error: { message: `no: Bearer ${SECRET}\r\n${'x'.repeat(500)}` } }
    for (const [status, code] of [
      [400, 'bad_request'],
      [403, 'missing_permission'],
      [404, 'not_found'],
      [410, 'bad_request'],
      [422, 'bad_request']
    ] as const) {
      await assert.rejects(call([{ status, body }]), (error: Error & { code?: string }) => {
        assert.equal(error.code, code)
        assert.ok(!error.message.includes(SECRET) && error.message.length < 450 && !error.message.includes('\n'))
        assert.match(error.message, /no: …/)
        return true
      })
    }
    await assert.rejects(call([{ body: '<html>' }]), { code: 'bad_request', message: /JSON/ })
  })

  it('follow redirects at the same server alone', async () => {
    const { asked } = await call([{ status: 302, headers: { location: '/y' } }])
    assert.equal(asked, 2)
    assert.equal(server.asked[1]?.path, '/y')
    await assert.rejects(call([{ status: 302, headers: { location: 'http://127.0.0.2/y' } }]), { code: 'bad_request' })
    await assert.rejects(call(times(9, { status: 302, headers: { location: '/y' } })), { code: 'bad_request' })
  })

  it('go nowhere that the policy forbids', async () => {
    const strict = createOutbound({ allowPrivateNetworks: false, allowedHosts: [] })
    await assert.rejects(call([], { outbound: strict }), { code: 'refused_by_policy' })
    await strict.close()
  })

  it('end with the signal, whatever they wait for', async () => {
    const clock = new ManualClock()
    const controller = new AbortController()
    replies = [{ status: 429, headers: { 'retry-after': '60' } }]
    const caller = new Caller({ outbound, clock, signer: signer(), budget: undefined, secretPointer: '/token' })
    const calling = caller.call(request(), controller.signal)
    const reason = new Error('enough')
    controller.abort(reason)
    await assert.rejects(calling, reason)
  })
})

describe('budgets', () => {
  it('permit so many requests in so many seconds, by all together', async () => {
    const clock = new HastyClock()
    const budget = new Budget(clock, { requests: 3, seconds: 10 })
    const begun: number[] = []
    await Promise.all(Array.from({ length: 10 }, () => budget.take(signal()).then(() => begun.push(clock.elapsed()))))
    assert.deepEqual(begun, [0, 0, 0, 10_000, 10_000, 10_000, 20_000, 20_000, 20_000, 30_000])
  })

  it('are the same for the same credentials', async () => {
    const clock = new HastyClock()
    const budget = sharedBudget('k', clock, undefined)
    assert.equal(sharedBudget('k', clock, undefined), budget)
    assert.notEqual(sharedBudget('other', clock, undefined), budget)
    budget.pause(5000)
    await budget.take(signal())
    assert.equal(clock.elapsed(), 5000)
    budget.pause(400_000)
    await assert.rejects(budget.take(signal()), { code: 'rate_limited' })
  })

  it('let others have their turn when one does not wait for it', async () => {
    const clock = new ManualClock()
    const budget = new Budget(clock, { requests: 1, seconds: 10 })
    await budget.take(signal())
    const controller = new AbortController()
    const first = budget.take(controller.signal)
    const second = budget.take(signal())
    controller.abort(new Error('gone'))
    await assert.rejects(first, /gone/)
    setImmediate(() => clock.advance(10_000))
    await second
  })
})
