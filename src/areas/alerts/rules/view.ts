import { toIso } from '../../../engines/clock.ts'
import type { InstanceRow, RuleRow } from '../migrations.ts'
import { readDefinition } from './definition.ts'
import type { Condition, InstanceOut, Rule } from './schema.ts'
import { shownNumber } from './words.ts'

export function toRule(row: RuleRow): Rule {
  const { conditions, join, ...definition } = readDefinition(row)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    ...definition,
    condition: conditions.length === 1 ? (conditions[0] as Condition) : null,
    conditions,
    join,
    intervalSeconds: row.interval_ms / 1000,
    severity: row.severity,
    enabled: row.enabled === 1,
    state: row.state,
    lastEvaluation:
      row.evaluated_at === null ? null : { at: row.evaluated_at, durationMs: row.duration_ms ?? 0, error: row.error },
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}

/** What a change of a rule is about: how it stands changes without anybody changing it. */
export function factsOf(row: RuleRow): Omit<Rule, 'state' | 'lastEvaluation' | 'condition'> {
  const { state: _, lastEvaluation: __, condition: ___, ...facts } = toRule(row)
  return facts
}

export function toInstance(row: InstanceRow): InstanceOut {
  return {
    ruleId: row.rule_id,
    labels: JSON.parse(row.labels),
    state: row.state,
    since: toIso(row.since_ms),
    value: shownNumber(row.value),
    cause: row.cause,
    alertId: row.alert_id,
    isQuiet: row.is_quiet === 1
  }
}
