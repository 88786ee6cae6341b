import { hostname } from 'node:os'
import type { Config } from '../../../config.ts'
import {
  DEFAULT_TEXT,
  DEFAULT_TITLE,
  type Message,
  type MessageAlert,
  render,
  templateData
} from '../../../engines/channels/index.ts'
import type { ChannelSettings } from '../channels/settings.ts'
import type { ResolveReason } from '../evaluation/states.ts'
import type { AlertRow } from '../migrations.ts'
import { SEVERITIES, shownNumber } from '../rules/words.ts'

/** More are counted, not listed. */
const MAX_ALERTS = 50

export type Origin = Pick<Config, 'publicUrl' | 'host' | 'port'>
type Words = Pick<ChannelSettings, 'titleTemplate' | 'textTemplate'>

export interface Draft {
  readonly kind: Message['kind']
  readonly groupKey: string
  readonly groupLabels: Readonly<Record<string, string>>
  /** In the order in which they are told. */
  readonly alerts: readonly AlertRow[]
}

/** What a channel is told of a group, in its words. */
export function messageOf(
  { kind, groupKey, groupLabels, alerts }: Draft,
  words: Words,
  origin: Origin,
  nowMs: number
): Message {
  const base = baseUrl(origin)
  const [first] = alerts
  const bare = {
    kind,
    groupKey,
    groupLabels,
    severity: worst(alerts),
    link: alerts.length === 1 && first !== undefined ? linkTo(base, first) : `${base}/api/alerts/history?state=firing`,
    alerts: alerts.slice(0, MAX_ALERTS).map((alert) => messageAlert(alert, base)),
    more: Math.max(0, alerts.length - MAX_ALERTS)
  }
  const data = templateData(bare, nowMs)
  return {
    ...bare,
    title: render(words.titleTemplate ?? DEFAULT_TITLE, data),
    text: render(words.textTemplate ?? DEFAULT_TEXT, data)
  }
}

function messageAlert(alert: AlertRow, base: string): MessageAlert {
  return {
    id: alert.id,
    ruleName: alert.rule_name,
    severity: alert.severity,
    state: alert.state,
    labels: JSON.parse(alert.labels),
    annotations: JSON.parse(alert.annotations),
    value: shownNumber(alert.value),
    threshold: shownNumber(alert.threshold),
    operator: alert.operator,
    startedAt: alert.started_at,
    resolvedAt: alert.resolved_at,
    cause: alert.cause,
    resolveReason: alert.resolve_reason === null ? null : REASONS[alert.resolve_reason as ResolveReason],
    note: alert.note,
    link: linkTo(base, alert)
  }
}

/** In words for whoever gets the message. */
const REASONS: Readonly<Record<ResolveReason, string>> = {
  recovered: 'recovered',
  vanished: 'no longer there',
  manual: 'resolved by hand',
  'rule-disabled': 'its rule was disabled',
  'rule-deleted': 'its rule was deleted'
}

const linkTo = (base: string, { id }: AlertRow) => `${base}/api/alerts/history/${id}`

/** Where nobody has said how users reach the server, they may reach it where it listens. */
function baseUrl({ publicUrl, host, port }: Origin): string {
  if (publicUrl !== undefined) return publicUrl
  const name = host === '0.0.0.0' || host === '::' ? hostname() : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function worst(alerts: readonly AlertRow[]): Message['severity'] {
  const worstAt = Math.max(0, ...alerts.map(({ severity }) => SEVERITIES.indexOf(severity)))
  return SEVERITIES[worstAt] ?? 'info'
}
