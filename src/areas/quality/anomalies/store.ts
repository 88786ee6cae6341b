import type { Db } from '../../../engines/metadata/index.ts'
import type { MeasurementRow } from '../migrations.ts'
import type { Oddity, Point } from './detect.ts'

/** Measurements of a rule that are looked back at, and kept, however old. */
export const MOST_POINTS = 200
const ROWS_AT_ONCE = 100

/** The last measurements of a rule, the oldest first. */
export async function historyOf(db: Db, ruleId: string): Promise<Point[]> {
  const rows = await db
    .selectFrom('quality_measurements')
    .select(['value', 'at_ms', 'oddity'])
    .where('rule_id', '=', ruleId)
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_POINTS)
    .execute()
  return rows
    .map(({ value, at_ms, oddity }) => ({ value: Number(value), atMs: Number(at_ms), oddity: oddity as Oddity }))
    .reverse()
}

export async function insertMeasurements(tx: Db, rows: readonly MeasurementRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await tx
      .insertInto('quality_measurements')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute()
  }
}

/** What was odd since a time is usual from now on, and nothing before it counts. */
export async function relearn(tx: Db, ruleId: string, fromMs: number): Promise<void> {
  await forgetBefore(tx, ruleId, fromMs)
  await tx.updateTable('quality_measurements').set({ oddity: 0 }).where('rule_id', '=', ruleId).execute()
}

export const forgetBefore = (tx: Db, ruleId: string, atMs: number) =>
  tx.deleteFrom('quality_measurements').where('rule_id', '=', ruleId).where('at_ms', '<', atMs).execute()

export const forgetMeasurements = (tx: Db, ruleId: string) =>
  tx.deleteFrom('quality_measurements').where('rule_id', '=', ruleId).execute()
