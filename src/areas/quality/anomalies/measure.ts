import type { Db } from '../../../engines/metadata/index.ts'
import type { Outcome } from '../evaluation/pass.ts'
import type { MeasurementRow, RuleRow } from '../migrations.ts'
import { readDefinition } from '../rules/definition.ts'
import { type Anomaly, type Followed, follow } from './follow.ts'
import { historyOf, MOST_POINTS } from './store.ts'

/** A measurement, and what its history says of it. */
export interface Measured {
  readonly told: Pick<Followed, 'expected' | 'anomaly'>
  readonly row: Omit<MeasurementRow, 'id' | 'rule_id'>
  readonly learnsFromMs: number | null
  /** Where there are as many as are kept: those before this time are not looked at any more. */
  readonly keepsFromMs: number | null
}

/** Compares what rules have measured with what they measured before, by the ids of rules; those that measured nothing are left out. */
export async function measure(
  db: Db,
  rules: readonly RuleRow[],
  outcomes: ReadonlyMap<string, Outcome>,
  atMs: number
): Promise<ReadonlyMap<string, Measured>> {
  const found = new Map<string, Measured>()
  for (const rule of rules) {
    const { measured = null, unit = 'rows' } = outcomes.get(rule.id) ?? {}
    if (measured === null || !readDefinition(rule).anomalies) continue
    const before = rule.anomaly === null ? null : (JSON.parse(rule.anomaly) as Anomaly)
    const history = await historyOf(db, rule.id)
    const followed = follow(history, before, { atMs, value: measured }, unit)
    const { expected, anomaly, oddity, learnsFromMs } = followed
    found.set(rule.id, {
      told: { expected, anomaly },
      row: { value: String(measured), at_ms: atMs, oddity },
      learnsFromMs,
      keepsFromMs: history.length < MOST_POINTS ? null : (history[0]?.atMs ?? null)
    })
  }
  return found
}
