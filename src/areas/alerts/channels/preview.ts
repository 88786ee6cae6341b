import {
  bounded,
  DEFAULT_TEXT,
  DEFAULT_TITLE,
  type Message,
  type MessageAlert,
  render,
  templateData
} from '../../../engines/channels/index.ts'
import { type Clock, toIso } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { invalidField, Problem } from '../../../errors.ts'
import { findAlert } from '../history/store.ts'
import type { AlertRow } from '../migrations.ts'
import { matchedLabels } from '../notifications/labels.ts'
import { shownNumber } from '../rules/words.ts'
import { readSettings, templateFaults } from './definition.ts'
import type { Preview, PreviewRequest } from './schema.ts'
import { type ChannelSettings, UNSAID } from './settings.ts'
import { findChannel } from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
}

type Told = Pick<
  AlertRow,
  | 'id'
  | 'rule_name'
  | 'labels'
  | 'annotations'
  | 'severity'
  | 'state'
  | 'value'
  | 'threshold'
  | 'operator'
  | 'started_at'
  | 'resolved_at'
>

/** What a channel would be told, in its words. */
export class Wording {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async preview({ channelId, alertId, ...given }: PreviewRequest): Promise<Preview> {
    const errors = templateFaults(given)
    if (errors.length > 0) throw new Problem('invalid_request', { errors })
    const settings = await this.#settings(channelId)
    const message = messageOf(await this.#alert(alertId), settings.groupBy)
    const templates = { ...settings, ...given }
    const data = templateData(message, this.#needs.clock.now())
    const title = render(templates.titleTemplate ?? DEFAULT_TITLE, data)
    const text = render(templates.textTemplate ?? DEFAULT_TEXT, data)
    const told = bounded({ ...message, title, text })
    return { title: told.title, text: told.text }
  }

  async #settings(channelId: string | undefined): Promise<ChannelSettings> {
    if (channelId === undefined) return UNSAID
    const row = await findChannel(this.#needs.metadata.db, channelId)
    if (row === undefined) throw invalidField('/channelId', 'must be the id of a channel')
    return readSettings(row)
  }

  async #alert(alertId: string | undefined): Promise<Told> {
    if (alertId === undefined) return invented(this.#needs.clock.now())
    const row = await findAlert(this.#needs.metadata.db, alertId)
    if (row === undefined) throw invalidField('/alertId', 'must be the id of an alert')
    return row
  }
}

function messageOf(alert: Told, groupBy: readonly string[]): Omit<Message, 'title' | 'text'> {
  const labels = matchedLabels(alert)
  const agreed = groupBy.filter((name) => Object.hasOwn(labels, name)).map((name) => [name, labels[name] as string])
  return {
    kind: alert.state,
    groupKey: alert.id,
    groupLabels: Object.fromEntries(agreed),
    severity: alert.severity,
    link: null,
    alerts: [toldAlert(alert)],
    more: 0
  }
}

function toldAlert(alert: Told): MessageAlert {
  return {
    id: alert.id,
    ruleName: alert.rule_name,
    state: alert.state,
    labels: JSON.parse(alert.labels),
    annotations: JSON.parse(alert.annotations),
    value: shownNumber(alert.value),
    threshold: shownNumber(alert.threshold),
    operator: alert.operator,
    startedAt: alert.started_at,
    resolvedAt: alert.resolved_at,
    link: null
  }
}

const FIVE_MINUTES_MS = 300_000

const invented = (nowMs: number): Told => ({
  id: 'alt_0example',
  rule_name: 'oil too hot',
  labels: JSON.stringify({ line: '2', tag: 'press.temperature' }),
  annotations: JSON.stringify({ summary: 'The oil of a press is too hot' }),
  severity: 'warning',
  state: 'firing',
  value: '91.5',
  threshold: '80',
  operator: '>',
  started_at: toIso(nowMs - FIVE_MINUTES_MS),
  resolved_at: null
})
