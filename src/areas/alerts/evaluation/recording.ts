import { type Clock, toIso } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { resolvedAlert } from '../history/closing.ts'
import { newAlert } from '../history/new-alert.ts'
import { insertAlerts, lockAlerts, resolveAlerts } from '../history/store.ts'
import type { AlertRow, InstanceRow } from '../migrations.ts'
import type { Notices } from '../notices.ts'
import { type Evaluated, type Judged, judge, reasonOf, stateAfter } from './judging.ts'
import { keyOf } from './readings.ts'
import type { ResolveReason } from './states.ts'
import * as store from './store.ts'

export interface RecordingNeeds {
  readonly clock: Clock
  readonly makeId: MakeId
  readonly notices: Notices
}

/**
 * Writes what follows from evaluations, in the transaction of the lease: instances, alerts and who has to know of them
 * change together. Rules that were changed since they were read are left out; they are due again.
 */
export async function record(
  tx: Db,
  needs: RecordingNeeds,
  evaluated: readonly Evaluated[],
  nowMs: number,
  durationMs: number
): Promise<void> {
  const ids = evaluated.map(({ rule }) => rule.id)
  const versions = new Map((await store.lockVersions(tx, ids)).map(({ id, version }) => [id, version]))
  const current = evaluated.filter(({ rule }) => versions.get(rule.id) === rule.version)
  if (current.length === 0) return
  const currentIds = current.map(({ rule }) => rule.id)
  const known = Map.groupBy(await store.lockInstances(tx, currentIds), (row) => row.rule_id)
  const pages = new Pages(needs, nowMs)
  for (const one of current) {
    const judged = judge(one, known.get(one.rule.id) ?? [], nowMs)
    for (const instance of judged) pages.add(one, instance)
    pages.note(one, judged)
  }
  await pages.write(tx)
  await store.passRules(tx, currentIds, { ms: nowMs, iso: toIso(nowMs) }, durationMs)
}

/** Collects what is to be written, so that many rows go in few statements. */
class Pages {
  readonly #needs: RecordingNeeds
  readonly #nowMs: number
  readonly #saved: InstanceRow[] = []
  readonly #dropped: InstanceRow[] = []
  readonly #fired: AlertRow[] = []
  /** Reasons by the alert that is over. */
  readonly #over = new Map<string, ResolveReason>()
  /** Rules by how they stand now, as text; only those that stood otherwise. */
  readonly #outcomes = new Map<string, string[]>()

  constructor(needs: RecordingNeeds, nowMs: number) {
    this.#needs = needs
    this.#nowMs = nowMs
  }

  add(evaluated: Evaluated, judged: Judged): void {
    const { labels, before, after, change } = judged
    const { id: ruleId } = evaluated.rule
    const reason = reasonOf(judged)
    if (reason !== undefined && before?.alert_id != null) this.#over.set(before.alert_id, reason)
    if (after === undefined) {
      if (before !== undefined) this.#dropped.push(before)
      return
    }
    let alertId = after.isOpen ? (before?.alert_id ?? null) : null
    if (change?.kind === 'fired') {
      const alert = this.#alertOf(evaluated, judged)
      this.#fired.push(alert)
      alertId = alert.id
    }
    const row = store.rowOf(ruleId, labels, after, alertId)
    if (before === undefined || differ(before, row)) this.#saved.push(row)
  }

  note({ rule, found, seen }: Evaluated, judged: readonly Judged[]): void {
    const outcome = { state: stateAfter(judged), error: 'error' in found ? found.error : null, seen }
    if (outcome.state === rule.state && outcome.error === rule.error && seen === rule.seen) return
    const key = JSON.stringify(outcome)
    const alike = this.#outcomes.get(key) ?? []
    alike.push(rule.id)
    this.#outcomes.set(key, alike)
  }

  async write(tx: Db): Promise<void> {
    const { notices } = this.#needs
    await store.saveInstances(tx, this.#saved)
    await store.dropInstances(tx, this.#dropped)
    await insertAlerts(tx, this.#fired)
    await notices.changed(tx, this.#fired, 'fired')
    for (const [reason, over] of Map.groupBy(this.#over, ([, why]) => why)) {
      const ids = over.map(([id]) => id)
      const alerts = await lockAlerts(tx, ids)
      const at = toIso(this.#nowMs)
      await resolveAlerts(tx, ids, reason, at)
      await notices.changed(
        tx,
        alerts.map((alert) => resolvedAlert(alert, reason, at)),
        'resolved'
      )
    }
    for (const [outcome, ids] of this.#outcomes) await store.noteOutcome(tx, ids, JSON.parse(outcome))
  }

  #alertOf({ rule, definition }: Evaluated, { labels, after, threshold }: Judged): AlertRow {
    return newAlert({
      id: this.#needs.makeId('alt'),
      rule_id: rule.id,
      rule_name: rule.name,
      labels: keyOf({ ...definition.labels, ...JSON.parse(labels) }),
      annotations: JSON.stringify(definition.annotations),
      severity: rule.severity,
      value: after?.value == null ? null : String(after.value),
      threshold: threshold === null ? null : String(threshold),
      operator: operatorOf(definition),
      cause: after?.cause ?? (after?.lackSinceMs === null ? null : 'no data'),
      started_at: toIso(this.#nowMs)
    })
  }
}

/** With several conditions the value may be that of any. */
function operatorOf({ conditions: [first, ...others] }: Evaluated['definition']): string | null {
  return others.length === 0 ? (first?.operator ?? null) : null
}

/** A value alone is no change worth a write: it is another one with nearly every evaluation. */
function differ(before: InstanceRow, after: InstanceRow): boolean {
  return (Object.keys(after) as (keyof InstanceRow)[]).some((name) => name !== 'value' && before[name] !== after[name])
}
