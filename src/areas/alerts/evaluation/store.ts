import { sql } from 'kysely'
import type { Db } from '../../../engines/metadata/index.ts'
import type { InstanceRow, RuleRow } from '../migrations.ts'
import { type Instance, type InstanceState, worstOf } from './states.ts'

/** Databases limit the number of values in a statement. */
const ROWS_AT_ONCE = 100

/** Rules that are to be evaluated, those that wait longest first. */
export const dueRules = (db: Db, nowMs: number, readsSql: boolean, limit: number): Promise<RuleRow[]> =>
  db
    .selectFrom('alert_rules')
    .selectAll()
    .where('enabled', '=', 1)
    .where('reads_sql', '=', readsSql ? 1 : 0)
    .where('next_ms', '<=', nowMs)
    .orderBy('next_ms')
    .limit(limit)
    .execute()

/** The versions of those rules that are still enabled; they can't be changed before the transaction ends. */
export const lockVersions = (tx: Db, ids: readonly string[]): Promise<Pick<RuleRow, 'id' | 'version'>[]> =>
  tx
    .selectFrom('alert_rules')
    .select(['id', 'version'])
    .where('id', 'in', ids)
    .where('enabled', '=', 1)
    .orderBy('id')
    .forUpdate()
    .execute()

export const lockInstances = (tx: Db, ruleIds: readonly string[]): Promise<InstanceRow[]> =>
  tx.selectFrom('alert_instances').selectAll().where('rule_id', 'in', ruleIds).forUpdate().execute()

export const findOpenInstance = (tx: Db, ruleId: string, alertId: string): Promise<InstanceRow | undefined> =>
  tx
    .selectFrom('alert_instances')
    .selectAll()
    .where('rule_id', '=', ruleId)
    .where('alert_id', '=', alertId)
    .forUpdate()
    .executeTakeFirst()

export async function saveInstances(tx: Db, rows: readonly InstanceRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await tx
      .insertInto('alert_instances')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .onConflict((conflict) =>
        conflict.columns(['rule_id', 'labels']).doUpdateSet((set) => ({
          state: set.ref('excluded.state'),
          since_ms: set.ref('excluded.since_ms'),
          met_since_ms: set.ref('excluded.met_since_ms'),
          clear_since_ms: set.ref('excluded.clear_since_ms'),
          lack_since_ms: set.ref('excluded.lack_since_ms'),
          missed: set.ref('excluded.missed'),
          is_quiet: set.ref('excluded.is_quiet'),
          value: set.ref('excluded.value'),
          cause: set.ref('excluded.cause'),
          alert_id: set.ref('excluded.alert_id')
        }))
      )
      .execute()
  }
}

export async function dropInstances(tx: Db, rows: readonly Pick<InstanceRow, 'rule_id' | 'labels'>[]): Promise<void> {
  for (const { rule_id, labels } of rows) {
    await tx.deleteFrom('alert_instances').where('rule_id', '=', rule_id).where('labels', '=', labels).execute()
  }
}

/** Notes that rules were evaluated, and when that is to be done next: at their phase within the interval. */
export async function passRules(tx: Db, ids: readonly string[], now: { ms: number; iso: string }, durationMs: number) {
  await tx
    .updateTable('alert_rules')
    .set({
      // Cast, because SQLite would take the number for one with a fraction, and divide so.
      next_ms: sql<number>`phase_ms + interval_ms * ((cast(${now.ms} as bigint) - phase_ms) / interval_ms + 1)`,
      evaluated_at: now.iso,
      duration_ms: durationMs
    })
    .where('id', 'in', ids)
    .execute()
}

/** Notes how rules stand; all of them stand alike. */
export const noteOutcome = (tx: Db, ids: readonly string[], outcome: Pick<RuleRow, 'state' | 'error' | 'seen'>) =>
  tx.updateTable('alert_rules').set(outcome).where('id', 'in', ids).execute()

/** After an instance was changed by hand. */
export async function updateRuleState(tx: Db, ruleId: string): Promise<void> {
  const rows = await tx.selectFrom('alert_instances').select('state').where('rule_id', '=', ruleId).distinct().execute()
  const state: InstanceState = worstOf(rows.map((row) => row.state))
  await tx.updateTable('alert_rules').set({ state }).where('id', '=', ruleId).execute()
}

export function stateOf(row: InstanceRow): Instance {
  return {
    state: row.state,
    sinceMs: row.since_ms,
    metSinceMs: row.met_since_ms,
    clearSinceMs: row.clear_since_ms,
    lackSinceMs: row.lack_since_ms,
    missed: row.missed,
    isOpen: row.alert_id !== null,
    isQuiet: row.is_quiet === 1,
    value: row.value === null ? null : Number(row.value),
    cause: row.cause
  }
}

export function rowOf(ruleId: string, labels: string, instance: Instance, alertId: string | null): InstanceRow {
  return {
    rule_id: ruleId,
    labels,
    state: instance.state,
    since_ms: instance.sinceMs,
    met_since_ms: instance.metSinceMs,
    clear_since_ms: instance.clearSinceMs,
    lack_since_ms: instance.lackSinceMs,
    missed: instance.missed,
    is_quiet: instance.isQuiet ? 1 : 0,
    value: instance.value === null ? null : String(instance.value),
    cause: instance.cause,
    alert_id: alertId
  }
}
