import type { AlertRow } from '../migrations.ts'

const UNTOUCHED = {
  state: 'firing',
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
} as const

/** An alert that nobody has looked at yet. */
export const newAlert = (facts: Omit<AlertRow, keyof typeof UNTOUCHED>): AlertRow => ({ ...facts, ...UNTOUCHED })
