import { createHash } from 'node:crypto'
import { cleaned, cut, oneLine } from './text.ts'

export type Severity = 'info' | 'warning' | 'error' | 'critical'

/** What is told of one group of alerts, in words and in fields. */
export interface Message {
  readonly kind: 'firing' | 'resolved' | 'acknowledged' | 'escalation' | 'test'
  /** The same for all messages about one group. */
  readonly groupKey: string
  readonly groupLabels: Readonly<Record<string, string>>
  /** One line, already made from its template. */
  readonly title: string
  readonly text: string
  readonly severity: Severity
  readonly link: string | null
  readonly alerts: readonly MessageAlert[]
  /** How many alerts of the group are not among `alerts`. */
  readonly more: number
}

export interface MessageAlert {
  readonly id: string
  readonly ruleName: string
  readonly severity: Severity
  readonly state: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly value: number | null
  readonly threshold: number | null
  readonly operator: string | null
  readonly startedAt: string
  readonly resolvedAt: string | null
  readonly link: string | null
  /** Why there is no value. */
  readonly cause: string | null
  /** Why it is over. */
  readonly resolveReason: string | null
  /** What somebody who looked at it said. */
  readonly note: string | null
  /** Of a series, the oldest first. */
  readonly lastValues?: readonly { readonly time: string; readonly value: number }[]
  /** What they are in, where that is known. */
  readonly unit?: string
}

const MAX_ALERTS = 50
const MAX_LAST_VALUES = 100
const MAX_ENTRIES = 32
const MAX_NAME = 100
const MAX_VALUE = 1000
const MAX_TITLE = 250
const MAX_TEXT = 16 * 1024
const MAX_LINK = 2000
const MAX_KEY = 500

/** The message with every part held to its bound and free of control characters, so that no channel has to care. */
export function bounded(message: Message): Message {
  const alerts = message.alerts.slice(0, MAX_ALERTS)
  return {
    kind: message.kind,
    groupKey: boundedKey(message.groupKey),
    groupLabels: boundedRecord(message.groupLabels),
    title: oneLine(message.title, MAX_TITLE) || 'Alert',
    text: cleaned(message.text, MAX_TEXT),
    severity: message.severity,
    link: webLink(message.link),
    alerts: alerts.map(boundedAlert),
    more: message.more + message.alerts.length - alerts.length
  }
}

/** With fewer alerts; the others are counted. */
export function withAlerts(message: Message, count: number): Message {
  const alerts = message.alerts.slice(0, count)
  return { ...message, alerts, more: message.more + message.alerts.length - alerts.length }
}

function boundedAlert(alert: MessageAlert): MessageAlert {
  const { lastValues = [] } = alert
  return {
    id: oneLine(alert.id, MAX_NAME),
    ruleName: oneLine(alert.ruleName, MAX_TITLE),
    severity: alert.severity,
    state: oneLine(alert.state, MAX_NAME),
    labels: boundedRecord(alert.labels),
    annotations: boundedRecord(alert.annotations),
    value: finite(alert.value),
    threshold: finite(alert.threshold),
    operator: alert.operator === null ? null : oneLine(alert.operator, MAX_NAME),
    startedAt: oneLine(alert.startedAt, MAX_NAME),
    resolvedAt: alert.resolvedAt === null ? null : oneLine(alert.resolvedAt, MAX_NAME),
    link: webLink(alert.link),
    cause: boundedText(alert.cause),
    resolveReason: boundedText(alert.resolveReason),
    note: boundedText(alert.note),
    lastValues: lastValues.filter(({ value }) => Number.isFinite(value)).slice(-MAX_LAST_VALUES),
    ...(alert.unit !== undefined && { unit: oneLine(alert.unit, MAX_NAME) })
  }
}

/** Cut, two keys could be the same. */
function boundedKey(key: string): string {
  return oneLine(key, MAX_KEY) === key ? key : createHash('sha256').update(key).digest('hex')
}

function boundedRecord(record: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(record).slice(0, MAX_ENTRIES)
  return Object.fromEntries(entries.map(([name, value]) => [oneLine(name, MAX_NAME), cleaned(value, MAX_VALUE)]))
}

const boundedText = (text: string | null) => (text === null ? null : oneLine(text, MAX_VALUE))

const finite = (value: number | null): number | null => (value === null || !Number.isFinite(value) ? null : value)

/** Only what a browser opens as a page: a link may have been made from values that users wrote. */
function webLink(link: string | null): string | null {
  const url = link === null || link.length > MAX_LINK ? null : URL.parse(link)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null
}

/** Labels as people read them. */
export function labelText(labels: Readonly<Record<string, string>>, max = MAX_TITLE): string {
  const texts = Object.entries(labels).map(([name, value]) => `${name}=${value}`)
  return cut(texts.join(', ').replace(/\s+/g, ' '), max)
}
