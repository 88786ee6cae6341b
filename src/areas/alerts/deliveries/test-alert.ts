import type { AlertRow } from '../migrations.ts'

/** An alert that never was, to see what a message looks like and whether it arrives. */
export function testAlert(now: string): AlertRow {
  return {
    id: 'alt_test',
    rule_id: 'alr_test',
    rule_name: 'Test of this channel',
    labels: JSON.stringify({ site: 'example' }),
    annotations: JSON.stringify({ summary: 'Nothing is wrong: somebody tries whether messages arrive here' }),
    severity: 'info',
    state: 'firing',
    value: '91.5',
    threshold: '80',
    operator: '>',
    cause: null,
    started_at: now,
    acknowledged_at: null,
    acknowledged_by: null,
    acknowledged_until: null,
    note: null,
    resolved_at: null,
    resolved_by: null,
    resolve_reason: null,
    escalate_ms: null,
    escalation_step: 0,
    version: 1
  }
}
