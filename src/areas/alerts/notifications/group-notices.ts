import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { AlertRow } from '../migrations.ts'
import type { AlertChange, Notices } from '../notices.ts'
import { openAlertsOf, setEscalation, stepsOf } from './escalation-store.ts'
import { groupLabelsOf } from './labels.ts'
import type { MemberRow } from './migrations.ts'
import { paceOf, settingsOf } from './pace.ts'
import * as store from './store.ts'
import { lookAfterChange } from './telling.ts'
import { lookAt } from './waking.ts'

interface Needs {
  readonly clock: Clock
  readonly makeId: MakeId
  readonly jobs: Jobs
}

/** An alert that a channel is to be told of. */
export interface Joining {
  readonly alert: AlertRow
  readonly channelId: string
  /** Of the channel. */
  readonly settings: string
  readonly step: number
}

/** Brings alerts into the groups of the channels that are told of them. */
export class GroupNotices implements Notices {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async changed(tx: Db, alerts: readonly AlertRow[], change: AlertChange): Promise<void> {
    if (alerts.length === 0) return
    if (change === 'fired') return this.#route(tx, alerts)
    await this.#touch(
      tx,
      alerts.map(({ id }) => id)
    )
    if (change === 'reopened') await this.#planEscalation(tx, alerts, this.#needs.clock.now())
    else
      await setEscalation(
        tx,
        alerts.map(({ id }) => id),
        null
      )
  }

  async rerouted(tx: Db, ruleId: string): Promise<void> {
    await this.#route(tx, await openAlertsOf(tx, ruleId))
  }

  /** Makes channels know of alerts that did not. */
  async join(tx: Db, wished: readonly Joining[]): Promise<void> {
    const { clock, makeId } = this.#needs
    // A channel that groups otherwise by now would hear of the same alert in two groups.
    const known = await store.knownTo(tx, [...new Set(wished.map(({ alert }) => alert.id))])
    const joinings = wished.filter(({ alert, channelId }) => !known.has(`${channelId} ${alert.id}`))
    const settings = new Map(joinings.map((one) => [one.channelId, settingsOf(one)]))
    const placed = joinings.map(({ alert, channelId, step }) => {
      const { groupBy } = settings.get(channelId) as ReturnType<typeof settingsOf>
      return { alert, step, channelId, key: JSON.stringify(groupLabelsOf(alert, groupBy)) }
    })
    const wanted = new Map(placed.map((one) => [store.placeOf(one), one]))
    const groups = await store.lockGroups(tx, [...wanted.values()], () => makeId('grp'))
    const members = placed.map((one): MemberRow => {
      const { id } = groups.get(store.placeOf(one)) as { id: string }
      return { group_id: id, alert_id: one.alert.id, told: null, step: one.step }
    })
    await store.addMembers(tx, members)
    const paced = [...groups.values()].map((group) => {
      const pace = paceOf(settings.get(group.channel_id) as ReturnType<typeof settingsOf>)
      return { id: group.id, ms: lookAfterChange(pace, group.told_ms, clock.now()) }
    })
    await this.#look(tx, paced)
  }

  async #route(tx: Db, alerts: readonly AlertRow[]): Promise<void> {
    const byRule = Map.groupBy(alerts, ({ rule_id }) => rule_id)
    const routes = await store.routesOf(tx, [...byRule.keys()])
    const joinings = routes
      .filter(({ step }) => step === 0)
      .flatMap(({ rule_id, channel_id, settings, step }) =>
        (byRule.get(rule_id) ?? []).map((alert): Joining => ({ alert, channelId: channel_id, settings, step }))
      )
    if (joinings.length > 0) await this.join(tx, joinings)
    await this.#planEscalation(tx, alerts)
  }

  /** Those that nobody has taken on are told to others; the time counts from when they fired, or from `fromMs`. */
  async #planEscalation(tx: Db, alerts: readonly AlertRow[], fromMs?: number): Promise<void> {
    const steps = await stepsOf(tx, alerts)
    const plans = new Map<number | null, string[]>()
    for (const { id, rule_id, state, started_at, escalation_step, escalate_ms } of alerts) {
      const next = steps.get(rule_id)?.get(escalation_step + 1)?.[0]
      const atMs = next === undefined || state !== 'firing' ? null : (fromMs ?? Date.parse(started_at)) + next.after_ms
      if (atMs === escalate_ms) continue
      const alike = plans.get(atMs) ?? []
      alike.push(id)
      plans.set(atMs, alike)
    }
    for (const [atMs, ids] of plans) {
      await setEscalation(tx, ids, atMs)
      if (atMs !== null) await lookAt(tx, this.#needs.jobs, atMs)
    }
  }

  /** Has the groups of alerts looked at that have changed. */
  async #touch(tx: Db, alertIds: readonly string[]): Promise<void> {
    const groups = await store.lockGroupsOf(tx, alertIds)
    const nowMs = this.#needs.clock.now()
    await this.#look(
      tx,
      groups.map((group) => ({ id: group.id, ms: lookAfterChange(paceOf(settingsOf(group)), group.told_ms, nowMs) }))
    )
  }

  async #look(tx: Db, looks: readonly { readonly id: string; readonly ms: number }[]): Promise<void> {
    for (const [ms, alike] of Map.groupBy(looks, (look) => look.ms)) {
      await store.lookEarlier(
        tx,
        alike.map(({ id }) => id),
        ms
      )
      await lookAt(tx, this.#needs.jobs, ms)
    }
  }
}
