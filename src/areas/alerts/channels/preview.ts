import { bounded } from '../../../engines/channels/index.ts'
import { type Clock, toIso } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { invalidField, Problem } from '../../../errors.ts'
import { newAlert } from '../history/new-alert.ts'
import { findAlert } from '../history/store.ts'
import type { AlertRow } from '../migrations.ts'
import { groupLabelsOf } from '../notifications/labels.ts'
import { messageOf, type Origin } from '../notifications/message.ts'
import { readSettings, templateFaults } from './definition.ts'
import type { Preview, PreviewRequest } from './schema.ts'
import { type ChannelSettings, UNSAID } from './settings.ts'
import { findChannel } from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly config: Origin
}

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
    const alert = await this.#alert(alertId)
    const groupLabels = Object.fromEntries(groupLabelsOf(alert, settings.groupBy))
    const draft = { kind: alert.state, groupKey: alert.id, groupLabels, alerts: [alert] }
    const { config, clock } = this.#needs
    const { title, text } = bounded(messageOf(draft, { ...settings, ...given }, config, clock.now()))
    return { title, text }
  }

  async #settings(channelId: string | undefined): Promise<ChannelSettings> {
    if (channelId === undefined) return UNSAID
    const row = await findChannel(this.#needs.metadata.db, channelId)
    if (row === undefined) throw invalidField('/channelId', 'must be the id of a channel')
    return readSettings(row)
  }

  async #alert(alertId: string | undefined): Promise<AlertRow> {
    if (alertId === undefined) return invented(this.#needs.clock.now())
    const row = await findAlert(this.#needs.metadata.db, alertId)
    if (row === undefined) throw invalidField('/alertId', 'must be the id of an alert')
    return row
  }
}

const FIVE_MINUTES_MS = 300_000

const invented = (nowMs: number): AlertRow =>
  newAlert({
    id: 'alt_0example',
    rule_id: 'alr_0example',
    rule_name: 'oil too hot',
    labels: JSON.stringify({ line: '2', tag: 'press.temperature' }),
    annotations: JSON.stringify({ summary: 'The oil of a press is too hot' }),
    severity: 'warning',
    value: '91.5',
    threshold: '80',
    operator: '>',
    cause: null,
    started_at: toIso(nowMs - FIVE_MINUTES_MS)
  })
