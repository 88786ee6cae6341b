import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { createOutbound } from '../../../engines/outbound/index.ts'
import { serve } from '../../../engines/outbound/testing/servers.ts'
import { Problem } from '../../../errors.ts'
import type { TargetEnd } from '../../../schedule-target.ts'
import { targetRun } from '../testing/target-run.ts'
import { httpTarget } from './http.ts'
import { BODY_NAMES, filledIn, unknownName } from './http-config.ts'

interface Received {
  readonly method: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const clock = new ManualClock('2026-03-02T04:00:05.000Z')

async function receiver(t: TestContext, answer: (response: ServerResponse) => void) {
  const received: Received[] = []
  const { port } = await serve(t, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    received.push({ method: request.method, headers: request.headers, body })
    answer(response)
  })
  const outbound = createOutbound({ allowPrivateNetworks: false, allowedHosts: ['127.0.0.1'] })
  t.after(() => outbound.close())
  return {
    received,
    url: `http://127.0.0.1:${port}/hook`,
    target: httpTarget({ clock, outbound: async () => outbound })
  }
}

/** Checks what it refuses, with an outbound engine that permits no private address. */
async function faultsOf(config: Record<string, unknown>) {
  const outbound = createOutbound({ allowPrivateNetworks: false, allowedHosts: [] })
  try {
    await httpTarget({ clock, outbound: async () => outbound }).check?.({ config })
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return (error.errors ?? []).map(({ pointer, message }) => [pointer, message] as const)
  } finally {
    await outbound.close()
  }
}

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

test('a call is signed with both secrets and says which run it is for', async (t) => {
  const { received, url, target } = await receiver(t, (response) => response.writeHead(202).end('thanks'))
  const body = { from: '{{previousDueAt}}', until: '{{dueAt}}', ids: ['{{scheduleId}}', '{{runId}}'] }
  const config = { url, body, secret: 'new secret', secondSecret: 'old secret', headers: { Authorization: 'Bearer t' } }
  const result = await target.run(targetRun({ config, attempt: 3 }))
  assert.deepEqual(result, { outcome: 'succeeded', message: 'The server answered 202 in 0 ms' })
  const [{ method, headers, body: sent }] = received as [Received]
  assert.equal(method, 'POST')
  assert.equal(sent, '{"from":"2026-03-02T03:00:00.000Z","until":"2026-03-02T04:00:00.000Z","ids":["sch_1","srn_1"]}')
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers.authorization, 'Bearer t')
  assert.equal(headers['idempotency-key'], 'srn_1')
  assert.equal(headers['x-millrace-schedule-id'], 'sch_1')
  assert.equal(headers['x-millrace-due-at'], '2026-03-02T04:00:00.000Z')
  assert.equal(headers['x-millrace-attempt'], '3')
  const seconds = Date.parse('2026-03-02T04:00:05Z') / 1000
  const signed = ['new secret', 'old secret'].map((secret) => `v1=${hmac(secret, `${seconds}.${sent}`)}`)
  assert.equal(headers['x-millrace-signature'], [`t=${seconds}`, ...signed].join(','))
})

test('what says which run it is can’t be replaced, and the type of a body can', async (t) => {
  const { received, url, target } = await receiver(t, (response) => response.writeHead(204).end())
  const headers = { 'Idempotency-Key': 'mine', 'X-Millrace-Attempt': '9', 'Content-Type': 'text/csv' }
  await target.run(targetRun({ config: { url, method: 'PUT', body: 'a,b', headers } }))
  assert.equal(received[0]?.headers['idempotency-key'], 'srn_1')
  assert.equal(received[0]?.headers['x-millrace-attempt'], '1')
  assert.equal(received[0]?.headers['content-type'], 'text/csv')
  assert.equal(received[0]?.headers['x-millrace-signature'], undefined)
})

test('without a body none is sent, and the signature is of an empty one', async (t) => {
  const { received, url, target } = await receiver(t, (response) => response.end())
  await target.run(targetRun({ config: { url, method: 'GET', secret: 'a secret' }, previousDueAt: null }))
  assert.equal(received[0]?.body, '')
  assert.equal(received[0]?.headers['content-type'], undefined)
  assert.match(received[0]?.headers['x-millrace-signature'] as string, /^t=\d+,v1=[0-9a-f]{64}$/)
})

test('the due time before is found out only where it is sent', async (t) => {
  const { url, target } = await receiver(t, (response) => response.end())
  const previousDueAt = { get: () => assert.fail('nobody needs it') }
  const run = Object.defineProperty(targetRun({ config: { url, body: '{{dueAt}}' } }), 'previousDueAt', previousDueAt)
  assert.equal((await target.run(run)).outcome, 'succeeded')
})

test('which statuses are final', async (t) => {
  let status = 200
  const { url, target } = await receiver(t, (response) => response.writeHead(status).end('no'))
  const outcomes: Record<number, string> = {}
  for (status of [200, 299, 302, 400, 401, 404, 408, 425, 429, 499, 500, 503]) {
    const result = await target.run(targetRun({ config: { url } }))
    outcomes[status] = result.outcome === 'failed' ? `${result.code} ${result.isFinal}` : result.outcome
  }
  assert.deepEqual(outcomes, {
    200: 'succeeded',
    299: 'succeeded',
    302: 'status_302 true',
    400: 'status_400 true',
    401: 'status_401 true',
    404: 'status_404 true',
    408: 'status_408 false',
    425: 'status_425 false',
    429: 'status_429 false',
    499: 'status_499 true',
    500: 'status_500 false',
    503: 'status_503 false'
  })
  status = 404
  assert.equal((await target.run(targetRun({ config: { url, expect: [404] } }))).outcome, 'succeeded')
  status = 200
  assert.equal((await target.run(targetRun({ config: { url, expect: [404] } }))).outcome, 'failed')
})

test('429 and 503 say when to come again, in seconds or with a date', async (t) => {
  let [status, after] = [429, '']
  const { url, target } = await receiver(t, (response) => response.writeHead(status, { 'retry-after': after }).end())
  const told = async () => {
    const end = (await target.run(targetRun({ config: { url } }))) as TargetEnd
    return 'retryAfterMs' in end ? end.retryAfterMs : undefined
  }
  const waits: Record<string, number | undefined> = {}
  for (after of ['120', 'Mon, 02 Mar 2026 04:01:05 GMT', 'Mon, 02 Mar 2026 03:00:00 GMT', 'soon', '-5', '1e9']) {
    waits[after] = await told()
  }
  assert.deepEqual(waits, {
    120: 120_000,
    'Mon, 02 Mar 2026 04:01:05 GMT': 60_000,
    'Mon, 02 Mar 2026 03:00:00 GMT': 0,
    soon: undefined,
    '-5': undefined,
    '1e9': undefined
  })
  after = '120'
  const byStatus: Record<number, number | undefined> = {}
  for (status of [404, 500, 503]) byStatus[status] = await told()
  assert.deepEqual(byStatus, { 404: undefined, 500: undefined, 503: 120_000 })
})

test('the beginning of an answer is shown, without what was sent as a secret', async (t) => {
  const answer = `a\n\u0000b token-1234 ${'x'.repeat(400)}`
  const { url, target } = await receiver(t, (response) => response.writeHead(500).end(answer))
  const result = (await target.run(targetRun({ config: { url, headers: { 'x-key': 'token-1234' } } }))) as TargetEnd
  const shown = `a b ******** ${'x'.repeat(400)}`.slice(0, 300)
  assert.equal(result.message, `The server answered 500; it says: ${shown}`)
})

test('an answer that never ends is not read to its end', async (t) => {
  const endless = (response: ServerResponse) => {
    response.writeHead(500)
    const more = () => {
      while (response.write('y'.repeat(60_000)));
      response.once('drain', more)
    }
    more()
  }
  const { url, target } = await receiver(t, endless)
  const result = (await target.run(targetRun({ config: { url } }))) as TargetEnd
  assert.match(String(result.message), /^The server answered 500; it says: y{300}$/)
})

test('what can’t be reached is tried again, and what is refused is not', async (t) => {
  const { url, target } = await receiver(t, (response) => response.socket?.destroy())
  const broken = await target.run(targetRun({ config: { url } }))
  assert.deepEqual(
    [broken.outcome, 'code' in broken && broken.code, 'isFinal' in broken && broken.isFinal],
    ['failed', 'unreachable', false]
  )
  const refused = await target.run(targetRun({ config: { url: 'http://127.0.0.2:9/' } }))
  assert.deepEqual(
    [refused.outcome, 'code' in refused && refused.code, 'isFinal' in refused && refused.isFinal],
    ['failed', 'refused_by_policy', true]
  )
})

test('a call ends when its run is to end', async (t) => {
  const ending = new AbortController()
  const { url, target } = await receiver(t, () => ending.abort(new Error('cancelled')))
  await assert.rejects(target.run(targetRun({ config: { url }, signal: ending.signal })), /cancelled/)
})

test('what could never run is refused at once, each by its field', async () => {
  const url = 'https://example.com/hook'
  assert.deepEqual(await faultsOf({ url, body: 'at {{dueAt}}', headers: { 'x-a': 'b' }, secret: 'a secret' }), [])
  const pointers = async (config: Record<string, unknown>) =>
    (await faultsOf(config)).map(([pointer]) => pointer.replace('/target/config', ''))
  assert.deepEqual(await pointers({ url: 'ftp://example.com' }), ['/url'])
  assert.deepEqual(await pointers({ url: 'https://ada:pw@example.com' }), ['/url'])
  assert.deepEqual(await pointers({ url, method: 'GET', body: {} }), ['/body'])
  assert.deepEqual(await pointers({ url, body: { at: '{{now}}' } }), ['/body'])
  assert.deepEqual(await pointers({ url, body: ['x'.repeat(100_000)] }), ['/body'])
  assert.deepEqual(await pointers({ url, secondSecret: 'a secret' }), ['/secret'])
  assert.deepEqual(await pointers({ url, headers: { Host: 'a', 'b c': 'd', 'e/f': 'g\r\nh: i' } }), [
    '/headers/Host',
    '/headers/b c',
    '/headers/e~1f'
  ])
  for (const literal of ['http://127.0.0.1:1/', 'http://169.254.169.254/', 'http://[::1]/', 'http://0x7f000001/']) {
    assert.match(String((await faultsOf({ url: literal })).flat()[1]), /^can't be called: /, literal)
  }
})

test('secrets are for one server, whatever its address is called', () => {
  const place = (url: string) => httpTarget({ clock, outbound: assert.fail }).placeOf?.({ url })
  assert.deepEqual(place('https://Example.com/a'), place('https://example.com:443/b'))
  assert.notDeepEqual(place('https://example.com/a'), place('http://example.com/a'))
})

test('whatever a body holds, what is known in it is replaced, and no other text', () => {
  const values = { dueAt: 'D', previousDueAt: 'P', scheduleId: 'S', runId: 'R' }
  const tell = (name: keyof typeof values) => values[name]
  const piece = fc.oneof(
    fc.constantFrom(...BODY_NAMES).map((name) => ({ text: `{{${name}}}`, becomes: values[name] })),
    fc.string().map((text) => ({ text: text.replaceAll('{', '('), becomes: text.replaceAll('{', '(') }))
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.map((one) => one.text).join('')
      assert.equal(unknownName(text), undefined)
      assert.equal(filledIn(text, tell), pieces.map(({ becomes }) => becomes).join(''))
      const json = JSON.stringify({ text })
      assert.doesNotThrow(() => JSON.parse(filledIn(json, tell)))
    })
  )
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, name) => {
      fc.pre(!BODY_NAMES.some((known) => name.startsWith(`${known}}}`)))
      assert.notEqual(unknownName(`${before}{{${name}`), undefined)
    })
  )
})

test('so many calls go to one origin at once, and none to another waits for them', async (t) => {
  const { url, target } = await receiver(t, (response) => response.end())
  const order = (to: string) => ({ config: { url: to } })
  const { signal } = new AbortController()
  const turns = await Promise.all(Array.from({ length: 64 }, () => target.turn?.(order(url), signal)))
  let isIn = false
  const next = target.turn?.(order(`${url}/another/path`), signal).then(() => {
    isIn = true
  })
  await target.turn?.(order('http://127.0.0.2/hook'), signal)
  assert.equal(isIn, false)
  turns[0]?.()
  await next
  assert.equal(isIn, true)
})
