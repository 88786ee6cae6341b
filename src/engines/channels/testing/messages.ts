import fc from 'fast-check'
import { ANY_CHARACTER, WEB_URL } from '../../../../test/support/any-character.ts'
import type { ChannelKind, ChannelTarget, Message, MessageAlert } from '../index.ts'

export const alert = (changes: Partial<MessageAlert> = {}): MessageAlert => ({
  id: 'al_1',
  ruleName: 'Boiler too hot',
  severity: 'critical',
  state: 'firing',
  labels: { site: 'berlin', line: '2' },
  annotations: { summary: 'Close the valve' },
  value: 91.23456,
  threshold: 90,
  operator: '>',
  startedAt: '2026-01-01T08:00:00.000Z',
  resolvedAt: null,
  link: 'https://millrace.example/alerts/al_1',
  cause: null,
  resolveReason: null,
  note: null,
  lastValues: [80, 85, 91].map((value, i) => ({ time: `2026-01-01T07:5${i}:00.000Z`, value })),
  ...changes
})

export const message = (changes: Partial<Message> = {}): Message => ({
  kind: 'firing',
  groupKey: 'rule_1/site=berlin',
  groupLabels: { site: 'berlin' },
  title: 'FIRING: Boiler too hot (site=berlin)',
  text: 'Boiler too hot is firing\nValue 91.2',
  severity: 'critical',
  link: 'https://millrace.example/alerts',
  alerts: [alert()],
  more: 0,
  ...changes
})

/** A channel of each type that speaks HTTP, all of them at one address. */
export function targetsAt(url: string): readonly (ChannelTarget & { type: Exclude<ChannelKind, 'email'> })[] {
  return [
    { type: 'webhook', config: { url, secret: 'a secret of 24 letters..' } },
    { type: 'slack', config: { url: `${url}/services/T0000/B0000/slack-secret` } },
    { type: 'teams', config: { url: `${url}/workflows/1?sig=teams-secret` } },
    { type: 'pagerduty', config: { url: `${url}/v2/enqueue`, routingKey: 'abcdefghijklmnopqrstuvwxyz012345' } },
    { type: 'ntfy', config: { url, topic: 'boilers', token: 'tk_ntfysecret' } },
    { type: 'telegram', config: { url, token: '123456:telegram-secret-token', chatId: '-100200' } }
  ]
}

/** What may stand in labels and names that come from users and devices. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '\r\nBcc: everybody@example.com\r\n\r\n',
  '<!channel> <@U123> <https://evil.example|click>',
  '&lt;&amp;<>&"\'`',
  '[click](https://evil.example) **bold**',
  '🔥👩‍👩‍👧‍👦',
  '\u0000\u001b[31m\u2028\u202e',
  '\ud800',
  '{{ labels.site }}',
  '=?utf-8?Q?=0D=0ABcc:_x?=',
  '__proto__',
  'x'.repeat(10_000),
  '<&>'.repeat(4000),
  '"\\'.repeat(4000),
  '🔥'.repeat(5000)
]

export const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: ANY_CHARACTER, maxLength: 60 }),
  fc.array(fc.constantFrom(...HOSTILE), { minLength: 2, maxLength: 4 }).map((texts) => texts.join('\n'))
)

const labels = fc.dictionary(hostileText, hostileText, { maxKeys: 4 })
const number = fc.oneof(fc.double(), fc.constant(null))

const hostileAlert = fc.record({
  id: hostileText,
  ruleName: hostileText,
  cause: fc.option(hostileText),
  resolveReason: fc.option(hostileText),
  note: fc.option(hostileText),
  severity: fc.constantFrom('info', 'warning', 'error', 'critical'),
  state: hostileText,
  labels,
  annotations: labels,
  value: number,
  threshold: number,
  operator: fc.oneof(hostileText, fc.constant(null)),
  startedAt: hostileText,
  resolvedAt: fc.oneof(hostileText, fc.constant(null)),
  link: fc.oneof(hostileText, WEB_URL, fc.constant('javascript:alert(1)'), fc.constant(null)),
  lastValues: fc.array(fc.record({ time: fc.constant('2026-01-01T00:00:00Z'), value: fc.double() }), { maxLength: 5 })
})

export const hostileMessage: fc.Arbitrary<Message> = fc.record({
  kind: fc.constantFrom('firing', 'resolved', 'acknowledged', 'escalation', 'test'),
  groupKey: hostileText,
  groupLabels: labels,
  title: hostileText,
  text: hostileText,
  severity: fc.constantFrom('info', 'warning', 'error', 'critical'),
  link: fc.oneof(hostileText, WEB_URL, fc.constant('javascript:alert(1)'), fc.constant(null)),
  alerts: fc.oneof(
    { weight: 5, arbitrary: fc.array(hostileAlert, { maxLength: 3 }) },
    { weight: 1, arbitrary: hostileAlert.map((one) => Array.from({ length: 60 }, () => one)) }
  ),
  more: fc.nat(1000)
})
