import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { checkConfig } from './index.ts'
import { alert, message } from './testing/messages.ts'
import { openChannels, options, receive } from './testing/receiver.ts'

const script = new URL('../../../docs/examples/verify-signature.js', import.meta.url)

interface Verification {
  header: unknown
  body: string
  secrets: readonly string[]
  nowSeconds?: number
}
const { verifySignature } = (await import(script.href)) as { verifySignature(given: Verification): boolean }

const [OLD, NEW] = ['the old secret of 28 letters', 'the new secret of 28 letters']

test('the body is what receivers of Alertmanager know, with our fields beside it', async (t) => {
  const { url, received, bodies } = await receive(t)
  const resolved = alert({
    id: 'al_2',
    state: 'resolved',
    labels: { site: 'berlin', line: '3' },
    resolvedAt: '2026-01-01T08:30:00.000Z',
    link: null
  })
  const headers = { 'X-Team': 'boilers' }
  await openChannels(t).send(
    { type: 'webhook', name: 'control room', config: { url, headers } },
    message({ alerts: [alert(), resolved], more: 2 }),
    options()
  )
  const [body] = bodies()
  const [first, second] = body.alerts
  assert.match(first.fingerprint, /^[\da-f]{16}$/)
  assert.notEqual(first.fingerprint, second.fingerprint)
  assert.deepEqual(
    { ...body, alerts: undefined },
    {
      version: '4',
      groupKey: 'rule_1/site=berlin',
      truncatedAlerts: 2,
      status: 'firing',
      receiver: 'control room',
      groupLabels: { site: 'berlin' },
      commonLabels: { alertname: 'Boiler too hot', severity: 'critical', site: 'berlin' },
      commonAnnotations: { summary: 'Close the valve' },
      externalURL: 'https://millrace.example',
      kind: 'firing',
      severity: 'critical',
      title: 'FIRING: Boiler too hot (site=berlin)',
      text: 'Boiler too hot is firing\nValue 91.2',
      link: 'https://millrace.example/alerts',
      alerts: undefined
    }
  )
  assert.deepEqual(
    { ...first, fingerprint: undefined },
    {
      status: 'firing',
      labels: { alertname: 'Boiler too hot', severity: 'critical', site: 'berlin', line: '2' },
      annotations: { summary: 'Close the valve' },
      startsAt: '2026-01-01T08:00:00.000Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'https://millrace.example/alerts/al_1',
      id: 'al_1',
      ruleName: 'Boiler too hot',
      state: 'firing',
      value: 91.23456,
      threshold: 90,
      operator: '>',
      cause: null,
      resolveReason: null,
      note: null,
      fingerprint: undefined
    }
  )
  assert.deepEqual([second.status, second.endsAt, second.generatorURL], ['resolved', '2026-01-01T08:30:00.000Z', ''])
  const { headers: sent } = received[0] as (typeof received)[0]
  assert.equal(sent['content-type'], 'application/json')
  assert.equal(sent['idempotency-key'], 'key-1')
  assert.equal(sent['x-team'], 'boilers')
  assert.equal(sent['x-millrace-signature'], undefined)
})

test('a receiver that computes the signature by itself finds it right, with either secret', async (t) => {
  const clock = new ManualClock()
  const { url, received } = await receive(t)
  const channels = openChannels(t, clock)
  await channels.send({ type: 'webhook', config: { url, secret: NEW, previousSecret: OLD } }, message(), options())
  await channels.send({ type: 'webhook', config: { url, secret: NEW } }, message(), options())
  const [both, one] = received as [(typeof received)[0], (typeof received)[0]]
  const seconds = clock.now() / 1000
  const hash = (secret: string) => createHmac('sha256', secret).update(`${seconds}.${both.body}`).digest('hex')
  assert.equal(both.headers['x-millrace-signature'], `t=${seconds},v1=${hash(NEW)},v1=${hash(OLD)}`)
  assert.equal(one.headers['x-millrace-signature'], `t=${seconds},v1=${hash(NEW)}`)

  const header = both.headers['x-millrace-signature']
  const verify = (changes: Partial<Verification>) =>
    verifySignature({ header, body: both.body, secrets: [NEW], nowSeconds: seconds, ...changes })
  assert.ok(verify({}))
  assert.ok(verify({ secrets: [OLD] }))
  assert.ok(verify({ nowSeconds: seconds + 300 }))
  assert.ok(!verify({ nowSeconds: seconds + 301 }), 'an old message that is sent again')
  assert.ok(!verify({ nowSeconds: seconds - 301 }))
  assert.ok(!verify({ header: String(header).replace(/t=\d+/, `t=${seconds + 400}`), nowSeconds: seconds + 400 }))
  assert.ok(!verify({ secrets: ['another secret'] }))
  assert.ok(!verify({ secrets: [] }))
  assert.ok(!verify({ body: `${both.body} ` }))
  for (const bad of [
    undefined,
    '',
    't=',
    `t=${seconds}`,
    `t=${seconds},v1=`,
    `t=${seconds},v1=zz`,
    'v1=00',
    't=1e9,v1=0'
  ]) {
    assert.ok(!verify({ header: bad }), String(bad))
  }
})

test('the script for receivers says so from a shell', async (t) => {
  const { url, received } = await receive(t)
  await openChannels(t).send({ type: 'webhook', config: { url, secret: NEW } }, message(), options())
  const [{ headers, body }] = received as [(typeof received)[0]]
  const run = (SECRET: string, input: string) =>
    spawnSync(process.execPath, [script.pathname, String(headers['x-millrace-signature'])], { env: { SECRET }, input })
  assert.equal(run(NEW, body).status, 0)
  assert.equal(run(OLD, body).status, 1)
  assert.equal(run(NEW, 'something else').status, 1)
  assert.equal(run('', body).status, 1)
})

test('a body has at most a mebibyte: alerts are left out and counted', async (t) => {
  const { url, received, bodies } = await receive(t)
  const large = Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`label${i}`, '\\'.repeat(1000)]))
  const alerts = Array.from({ length: 60 }, () => alert({ labels: large, annotations: large }))
  await openChannels(t).send({ type: 'webhook', config: { url } }, message({ alerts, more: 1 }), options())
  assert.ok(Buffer.byteLength(received[0]?.body ?? '') <= 1024 * 1024)
  const [body] = bodies()
  assert.ok(body.alerts.length > 0)
  assert.equal(body.alerts.length + body.truncatedAlerts, 61)
})

test('headers that are no headers, or are ours, are refused', async () => {
  const check = (headers: Record<string, string>) =>
    checkConfig({ type: 'webhook', config: { url: 'https://example.com', headers } })
  assert.deepEqual(await check({ authorization: 'Bearer abc' }), [])
  for (const [name, value] of [
    ['X-Millrace-Signature', 't=1'],
    ['Host', 'example.com'],
    ['content-length', '1'],
    ['a b', 'c'],
    ['x', 'a\r\nb: c'],
    ['x', '🔥']
  ] as const) {
    assert.deepEqual(
      (await check({ [name]: value })).map(({ pointer }) => pointer),
      [`/headers/${name}`]
    )
  }
})
