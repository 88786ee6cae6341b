import { type Db, slices } from '../../../engines/metadata/index.ts'
import type { AlertRow } from '../migrations.ts'
import { type Route, routesOf } from './store.ts'

/** Who is told in each step, by rule; 0 is at once. */
export async function stepsOf(tx: Db, alerts: readonly AlertRow[]): Promise<Map<string, Map<number, Route[]>>> {
  const routes = await routesOf(tx, [...new Set(alerts.map(({ rule_id }) => rule_id))])
  const byRule = Map.groupBy(routes, ({ rule_id }) => rule_id)
  return new Map([...byRule].map(([ruleId, own]) => [ruleId, Map.groupBy(own, ({ step }) => step)]))
}

/** Bounded by the instances that a rule may have. */
export const openAlertsOf = (tx: Db, ruleId: string): Promise<AlertRow[]> =>
  tx.selectFrom('alerts').selectAll().where('rule_id', '=', ruleId).where('state', '<>', 'resolved').execute()

export async function setEscalation(tx: Db, ids: readonly string[], atMs: number | null): Promise<void> {
  for (const some of slices(ids)) {
    await tx.updateTable('alerts').set({ escalate_ms: atMs }).where('id', 'in', some).execute()
  }
}

const due = (db: Db, nowMs: number) =>
  db.selectFrom('alerts').where('escalate_ms', '<=', nowMs).where('state', '=', 'firing')

export const hasToEscalate = async (db: Db, nowMs: number): Promise<boolean> =>
  (await due(db, nowMs).select('id').limit(1).execute()).length > 0

export const lockToEscalate = (tx: Db, nowMs: number, limit: number): Promise<AlertRow[]> =>
  due(tx, nowMs).selectAll().orderBy('id').limit(limit).forUpdate().execute()

/** Notes the step that was taken, and when the next one is. */
export async function noteStep(tx: Db, ids: readonly string[], step: number, atMs: number | null): Promise<void> {
  for (const some of slices(ids)) {
    await tx.updateTable('alerts').set({ escalation_step: step, escalate_ms: atMs }).where('id', 'in', some).execute()
  }
}
