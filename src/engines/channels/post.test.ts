import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { createOutbound } from '../outbound/index.ts'
import { serveTcp } from '../outbound/testing/servers.ts'
import { createChannels, type Sent, type SentCode } from './index.ts'
import { message, targetsAt } from './testing/messages.ts'
import { openChannels, options, quiet, receive } from './testing/receiver.ts'

const ANSWERS: readonly [status: number, headers: Record<string, string>, expected: Omit<Sent, 'status' | 'answer'>][] =
  [
    [400, {}, { outcome: 'refused', code: 'rejected' }],
    [401, {}, { outcome: 'refused', code: 'unauthorized' }],
    [403, {}, { outcome: 'refused', code: 'unauthorized' }],
    [404, {}, { outcome: 'refused', code: 'not_found' }],
    [410, {}, { outcome: 'refused', code: 'not_found' }],
    [413, { 'retry-after': '5' }, { outcome: 'refused', code: 'rejected' }],
    [408, {}, { outcome: 'failed', code: 'timeout' }],
    [429, {}, { outcome: 'failed', code: 'rate_limited' }],
    [429, { 'retry-after': '30' }, { outcome: 'failed', code: 'rate_limited', retryAfterMs: 30_000 }],
    [
      429,
      { 'retry-after': 'Thu, 01 Jan 2026 00:02:00 GMT' },
      { outcome: 'failed', code: 'rate_limited', retryAfterMs: 120_000 }
    ],
    [429, { 'retry-after': '999999999' }, { outcome: 'failed', code: 'rate_limited', retryAfterMs: 3_600_000 }],
    [429, { 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, { outcome: 'failed', code: 'rate_limited' }],
    [429, { 'retry-after': 'soon' }, { outcome: 'failed', code: 'rate_limited' }],
    [500, {}, { outcome: 'failed', code: 'server_error' }],
    [503, { 'retry-after': '7' }, { outcome: 'failed', code: 'server_error', retryAfterMs: 7000 }]
  ]

test('each status means the same to every channel', async (t) => {
  for (const [status, headers, expected] of ANSWERS) {
    const { url } = await receive(t, (_request, response) =>
      response.writeHead(status, headers).end('line 1\r\nline 2')
    )
    const channels = openChannels(t, new ManualClock())
    for (const target of targetsAt(url)) {
      assert.deepEqual(
        await channels.send(target, message(), options()),
        { ...expected, status, answer: 'line 1 line 2' },
        `${target.type} ${status}`
      )
    }
  }
})

test('a redirect is refused, and not followed', async (t) => {
  const { url, received } = await receive(t, (_request, response) =>
    response.writeHead(302, { location: '/elsewhere?token=abc' }).end('moved to elsewhere')
  )
  for (const target of targetsAt(url)) {
    const sent = await openChannels(t).send(target, message(), options())
    assert.deepEqual([sent.outcome, sent.status, sent.code], ['refused', 302, 'redirected'])
    assert.match(sent.answer, /^The address answers with a redirect \(302\), which is not followed; give the one/)
  }
  assert.ok(received.every(({ path }) => !path.includes('elsewhere')))
})

test('nobody is waited for longer than ten seconds', async (t) => {
  const clock = new ManualClock()
  const { url, received } = await receive(t, () => {})
  for (const target of targetsAt(url)) {
    received.length = 0
    const sending = openChannels(t, clock).send(target, message(), options())
    await eventually(() => received.length === 1)
    clock.advance(9999)
    clock.advance(1)
    const sent = await sending
    assert.deepEqual([sent.outcome, sent.status, sent.code], ['failed', null, 'timeout'])
  }
})

test('the status counts, though the rest of the answer is cut off, stalls, or has ten megabytes', async (t) => {
  const rude: readonly ((response: ServerResponse) => void)[] = [
    (response) => response.write('half', () => response.destroy()),
    (response) => response.end('x'.repeat(10_000_000))
  ]
  for (const [status, outcome] of [
    [200, 'sent'],
    [400, 'refused'],
    [500, 'failed']
  ] as const) {
    for (const finish of rude) {
      const { url } = await receive(t, (_request, response) => {
        response.writeHead(status, { 'content-length': 10_000_000 })
        finish(response)
      })
      const sent = await openChannels(t).send({ type: 'webhook', config: { url } }, message(), options())
      assert.deepEqual([sent.outcome, sent.status], [outcome, status])
      assert.ok(sent.answer.length <= 500)
    }
  }
})

test('an answer that never ends is left after its time, and its status counts', async (t) => {
  const clock = new ManualClock()
  const { url } = await receive(t, (_request, response) => response.writeHead(200).write('so far'))
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [], clock })
  t.after(() => outbound.close())
  let hasStatus = false
  const request: typeof outbound.request = async (...call) => {
    const response = await outbound.request(...call)
    hasStatus = true
    return response
  }
  const channels = createChannels({ outbound: { ...outbound, request }, clock, log: quiet })
  const sending = channels.send({ type: 'webhook', config: { url } }, message(), options())
  await eventually(() => hasStatus)
  clock.advance(10_000)
  const sent = await sending
  assert.deepEqual([sent.outcome, sent.status, sent.code], ['sent', 200, 'ok'])
})

test('what does not answer at all failed, and may be tried again', async (t) => {
  const closed = await freePort()
  const rude = await serveTcp(t, (socket) => socket.once('data', () => socket.destroy()))
  const strange = await serveTcp(t, (socket) => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')))
  const channels = openChannels(t)
  const cases: readonly [number, SentCode][] = [
    [closed, 'unreachable'],
    [rude.port, 'unreachable'],
    [strange.port, 'unexpected_answer']
  ]
  for (const [port, code] of cases) {
    for (const target of targetsAt(`http://127.0.0.1:${port}`)) {
      const sent = await channels.send(target, message(), options())
      assert.deepEqual([sent.outcome, sent.status, sent.code], ['failed', null, code], target.type)
    }
  }
})

test('private addresses are refused unless they are allowed', async (t) => {
  const { url, received } = await receive(t)
  const outbound = createOutbound({ allowPrivateNetworks: false, allowedHosts: [] })
  t.after(() => outbound.close())
  for (const target of targetsAt(url)) {
    const sent = await createChannels({ outbound, log: quiet }).send(target, message(), options())
    assert.deepEqual([sent.outcome, sent.status, sent.code], ['refused', null, 'address_refused'])
    assert.match(sent.answer, /private address; to permit it/)
  }
  assert.equal(received.length, 0)
})

test('a message that is called back was not sent', async (t) => {
  const { url, received } = await receive(t, () => {})
  for (const target of targetsAt(url)) {
    received.length = 0
    const controller = new AbortController()
    const sending = openChannels(t).send(target, message(), { ...options(), signal: controller.signal })
    await eventually(() => received.length === 1)
    controller.abort()
    const sent = await sending
    assert.deepEqual([sent.outcome, sent.code], ['failed', 'aborted'])
  }
})

test('a configuration that can’t work is refused with a sentence, and nobody is called', async (t) => {
  const channels = openChannels(t)
  const sent = await channels.send({ type: 'webhook', config: { url: 'ftp://example.com' } }, message(), options())
  assert.deepEqual(sent, {
    outcome: 'refused',
    status: null,
    answer: '/url must be an address that begins with https:// or http://',
    code: 'bad_config'
  })
  const config = { url: 'https://example.com', headers: { [`a\r\n${'b'.repeat(1000)}`]: 'c' } }
  const { answer } = await channels.send({ type: 'webhook', config }, message(), options())
  assert.ok(answer.length <= 500 && answer.startsWith('/headers/a bbb'))
})
