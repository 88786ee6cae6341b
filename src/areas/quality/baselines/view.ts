import { MASK_TEXT, type Mask } from '../../../data/mask.ts'
import { parseReference } from '../../../data/reference.ts'
import { mayRead } from '../../../http/data-rights.ts'
import type { Actor } from '../../../http/permissions.ts'
import { type Shown, shown } from '../drift/drift.ts'
import type { Learned } from '../drift/learn.ts'
import { resolutionOf } from '../drift/shape.ts'
import { isSecret } from '../evaluation/secrecy.ts'
import type { BaselineRow } from '../migrations.ts'
import type { Baseline } from './schema.ts'

/** What is in it is shown to those alone who may read and see the column, and nobody where it was confidential then. */
export function toBaseline(row: BaselineRow, actor: Actor, mask: Mask | undefined): Baseline {
  const reference = parseReference(row.dataset)
  const isOpen =
    row.is_sealed === 0 && !isSecret(mask, row.column_name) && !('problem' in reference) && mayRead(actor, reference)
  const { where, ...facts } = factsOf(row)
  // It may quote values of any column.
  const condition = where === null || mask === undefined ? where : MASK_TEXT
  return { ...facts, where: condition, shape: isOpen ? shapeIn(JSON.parse(row.shape) as Learned) : null }
}

/** What is audited of it. */
export function factsOf(row: BaselineRow): Omit<Baseline, 'shape'> {
  return {
    id: row.id,
    dataset: row.dataset,
    column: row.column_name,
    where: row.condition === '' ? null : row.condition,
    kind: row.kind,
    ruleId: row.rule_id,
    rows: row.row_count,
    isConfidential: row.is_sealed === 1,
    createdAt: row.created_at
  }
}

function shapeIn({ cells, shape }: Learned): NonNullable<Baseline['shape']> {
  const keys: readonly Shown[] =
    cells.kind === 'category' ? cells.values : cells.bounds.map((bound) => shown(cells, bound))
  return {
    nulls: shape.nulls,
    notNumbers: shape.notNumbers,
    mean: shape.mean === null ? null : shown(cells, shape.mean),
    resolution: resolutionOf(cells, shape),
    cells: shape.counts.map((rows, at) => ({ upTo: keys[at] ?? null, rows }))
  }
}
