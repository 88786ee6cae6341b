import { createHash } from 'node:crypto'
import { SIGNATURE_HEADER, signatureOf } from '../signature.ts'
import type { ChannelType, ConfigFault } from './channel-type.ts'
import { headerFaults, urlFaults } from './checks.ts'
import type { WebhookConfig } from './configs.ts'
import { fitting } from './fitting.ts'
import type { Message, MessageAlert } from './message.ts'
import { post } from './post.ts'

const MAX_BODY_BYTES = 1024 * 1024
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,200}$/
/** Those that follow from the message, and those that frame it. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  SIGNATURE_HEADER
])
/** What Alertmanager says of an alert that has not ended. */
const NO_END = '0001-01-01T00:00:00Z'

/** A signed POST in the form of Alertmanager's webhooks (version 4), with more fields. */
export const webhook: ChannelType<WebhookConfig> = {
  check({ url, secret, previousSecret, headers = {} }) {
    const faults = [...urlFaults(url), ...Object.entries(headers).flatMap(faultsOfHeader)]
    if (previousSecret === undefined || secret !== undefined) return faults
    return [...faults, { pointer: '/previousSecret', message: 'needs a secret beside it' }]
  },

  async send(sending) {
    const { config, message, name, idempotencyKey, clock } = sending
    const body = fitting(message, MAX_BODY_BYTES, (fitted) => bodyOf(fitted, name))
    const secrets = [config.secret, config.previousSecret].filter((secret) => secret !== undefined)
    const signed = secrets.length > 0 ? { [SIGNATURE_HEADER]: signatureOf(secrets, clock.now(), body) } : {}
    const headers = { ...config.headers, 'idempotency-key': idempotencyKey, ...signed }
    return post(sending, { url: config.url, headers, body })
  }
}

function faultsOfHeader([name, value]: [string, string]): ConfigFault[] {
  const pointer = `/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  if (!HEADER_NAME.test(name)) return [{ pointer, message: 'must be the name of a header' }]
  if (OWN_HEADERS.has(name.toLowerCase())) return [{ pointer, message: 'is set by the platform; leave it out' }]
  return headerFaults(pointer, value)
}

function bodyOf(message: Message, receiver: string): object {
  const alerts = message.alerts.map(alertOf)
  return {
    version: '4',
    groupKey: message.groupKey,
    truncatedAlerts: message.more,
    status: message.kind === 'resolved' ? 'resolved' : 'firing',
    receiver,
    groupLabels: message.groupLabels,
    commonLabels: common(alerts.map(({ labels }) => labels)),
    commonAnnotations: common(alerts.map(({ annotations }) => annotations)),
    externalURL: message.link === null ? '' : new URL(message.link).origin,
    alerts,
    kind: message.kind,
    severity: message.severity,
    title: message.title,
    text: message.text,
    link: message.link
  }
}

function alertOf(alert: MessageAlert) {
  const labels: Record<string, string> = {
    alertname: alert.ruleName,
    severity: alert.severity,
    ...alert.labels
  }
  return {
    status: alert.resolvedAt === null ? 'firing' : 'resolved',
    labels,
    annotations: alert.annotations,
    startsAt: alert.startedAt,
    endsAt: alert.resolvedAt ?? NO_END,
    generatorURL: alert.link ?? '',
    fingerprint: fingerprint(labels),
    id: alert.id,
    ruleName: alert.ruleName,
    state: alert.state,
    value: alert.value,
    threshold: alert.threshold,
    operator: alert.operator,
    cause: alert.cause,
    resolveReason: alert.resolveReason,
    note: alert.note
  }
}

/** The same for the same labels, in whatever order. */
function fingerprint(labels: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 16)
}

function common([first = {}, ...others]: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const shared = Object.entries(first).filter(([name, value]) =>
    others.every((other) => Object.hasOwn(other, name) && other[name] === value)
  )
  return Object.fromEntries(shared)
}
