import { bounded, labelText, type Message, type MessageAlert } from '../message.ts'

export type TemplateValue = string | number | null

/** What the names of a template mean. Maps rather than objects: there is nothing in them but what was put there. */
export interface TemplateData {
  readonly values: ReadonlyMap<string, TemplateValue>
  /** The same names for each alert. */
  readonly alerts: readonly ReadonlyMap<string, TemplateValue>[]
}

/** Those of the group, and those of an alert: outside of `{{#alerts}}` they are of the first one. */
const GROUP_NAMES = ['kind', 'severity', 'count', 'more', 'others']
const ALERT_NAMES = [
  'id',
  'ruleName',
  'state',
  'value',
  'threshold',
  'operator',
  'startedAt',
  'resolvedAt',
  'activeSeconds',
  'where',
  'link',
  'cause',
  'resolveReason',
  'note'
]
export const NAMES: ReadonlySet<string> = new Set([...GROUP_NAMES, ...ALERT_NAMES])
/** What follows them is anybody's to choose. */
export const OPEN_NAMES: ReadonlySet<string> = new Set(['labels', 'annotations'])

/** `labels` and `where` are the group's outside of `{{#alerts}}`, and each alert's own within. */
export function templateData(message: Omit<Message, 'title' | 'text'>, nowMs: number): TemplateData {
  const { kind, severity, groupLabels, link, alerts, more } = bounded({ ...message, title: '', text: '' })
  const count = alerts.length + more
  const group: [string, TemplateValue][] = [
    ['kind', kind],
    ['severity', severity],
    ['count', count],
    ['more', more || null],
    ['others', count > 1 ? count - 1 : null]
  ]
  const ofAlerts = alerts.map((alert) => [...group, ...valuesOf(alert, nowMs)])
  const first = (ofAlerts[0] ?? group).filter(([name]) => !name.startsWith('labels.'))
  return {
    values: new Map([
      ...first,
      ['link', link],
      ['where', groupWhere(groupLabels, alerts, count)],
      ...entries('labels', groupLabels)
    ]),
    alerts: ofAlerts.map((values) => new Map(values))
  }
}

function valuesOf(alert: MessageAlert, nowMs: number): [string, TemplateValue][] {
  const { id, ruleName, state, value, threshold, operator, startedAt, resolvedAt, link, labels, annotations } = alert
  const { cause, resolveReason, note } = alert
  const endMs = resolvedAt === null ? nowMs : Date.parse(resolvedAt)
  const seconds = Math.max(0, Math.round((endMs - Date.parse(startedAt)) / 1000))
  return [
    ...Object.entries({
      id,
      ruleName,
      state,
      value,
      threshold,
      operator,
      startedAt,
      resolvedAt,
      link,
      cause,
      resolveReason,
      note
    }),
    ['activeSeconds', Number.isFinite(seconds) ? seconds : null],
    ['where', where(labels)],
    ...entries('labels', labels),
    ...entries('annotations', annotations)
  ]
}

/** The name of the rule stands beside it; of one alert alone, all of its labels tell more, but for the id of its source. */
function groupWhere(labels: Message['groupLabels'], alerts: readonly MessageAlert[], count: number): string | null {
  const { rule: _, ...others } = labels
  const { source: __, ...own } = count === 1 ? (alerts[0]?.labels ?? {}) : {}
  return where(others) ?? where(own)
}

const where = (labels: Readonly<Record<string, string>>) => labelText(labels) || null

function entries(prefix: string, record: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(record).map(([name, value]) => [`${prefix}.${name}`, value])
}
