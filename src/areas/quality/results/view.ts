import { columnKey, MASK_TEXT, type Mask } from '../../../data/mask.ts'
import { parseReference } from '../../../data/reference.ts'
import { mayRead } from '../../../http/data-rights.ts'
import type { Actor } from '../../../http/permissions.ts'
import { withoutPlace } from '../drift/judge.ts'
import type { Reason } from '../evaluation/judge.ts'
import type { Outcome } from '../evaluation/pass.ts'
import type { SampleRow } from '../evaluation/sample.ts'
import { unquoted } from '../evaluation/secrecy.ts'
import { type ShownAnomaly, withoutSecretAge } from '../evaluation/secret-age.ts'
import type { ResultRow } from '../migrations.ts'
import type { Result } from './schema.ts'

/** Rows are shown to those alone who may read the data, and where nothing of them is above their clearance. */
export function toResult(row: ResultRow, actor: Actor, mask: Mask | undefined): Result {
  const kept = JSON.parse(row.outcome) as Outcome
  const { status: _, column: __, sample, drift, expected, anomaly, ...outcome } = withoutSecretAge<Kept>(kept, mask)
  const reference = parseReference(row.dataset)
  const isOpen = !('problem' in reference) && mayRead(actor, reference)
  return {
    id: row.id,
    ruleId: row.rule_id,
    ruleName: row.rule_name,
    evaluationId: row.evaluation_id,
    cause: row.cause,
    dataset: row.dataset,
    status: row.status,
    severity: row.severity,
    dimension: row.dimension,
    ...outcome,
    reason: isOpen && mask === undefined ? outcome.reason : unspecific(outcome.reason),
    // It says in SQL what the rule asks for, in which values may stand.
    failingRowsQuery: isOpen && mask === undefined ? (outcome.failingRowsQuery ?? null) : null,
    sample: isOpen && sample.every((one) => areMasked(one, mask)) ? [...sample] : [],
    drift: isOpen && mask === undefined ? (drift ?? null) : null,
    expected: expected ?? null,
    anomaly: anomaly ?? null,
    evaluatedAt: row.evaluated_at
  }
}

type Kept = Omit<Outcome, 'anomaly'> & { readonly anomaly?: ShownAnomaly | null }

/** What is told beside data that are not shown. */
const unspecific = (reason: Reason | null): Reason | null => reason && withoutPlace(unquoted(reason))

/**
 * Whether what is masked now was so when the row was read. Where a label came later, or SQL gave columns other names, nobody
 * can tell which values it would be over.
 */
function areMasked(row: SampleRow, mask: Mask | undefined): boolean {
  if (mask === undefined) return true
  const names = mask === 'all' ? Object.keys(row) : mask
  const values = new Map(Object.entries(row).map(([name, value]) => [columnKey(name), value]))
  return names.every((name) => values.get(columnKey(name)) === MASK_TEXT)
}
