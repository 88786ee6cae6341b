import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { Vault } from '../../../engines/vault/index.ts'
import type { KnownBaseline } from '../drift/drift.ts'
import type { FirstBaseline } from '../drift/first-baseline.ts'
import { rowsOf } from '../drift/shape.ts'
import type { BaselineRow, RuleRow } from '../migrations.ts'
import { readDefinition } from '../rules/definition.ts'
import { keptShape, openBaseline } from './sealing.ts'
import { findBaselines } from './store.ts'

/** What rules compare with, by their ids: the baselines that they name, or have made for themselves. */
export async function baselinesOf(
  db: Db,
  vault: Vault,
  rules: readonly RuleRow[]
): Promise<ReadonlyMap<string, KnownBaseline>> {
  const named = rules
    .filter(({ type }) => type === 'distribution')
    .map((rule) => ({ ruleId: rule.id, baseline: readDefinition(rule).config.baseline ?? 'first' }))
  if (named.length === 0) return new Map()
  const isFirst = ({ baseline }: { baseline: string }) => baseline === 'first'
  const ids = named.filter((one) => !isFirst(one)).map(({ baseline }) => baseline)
  const rows = await findBaselines(
    db,
    ids,
    named.filter(isFirst).map(({ ruleId }) => ruleId)
  )
  return new Map(
    named.flatMap(({ ruleId, baseline }) => {
      const row = rows.find(({ id, rule_id }) => (baseline === 'first' ? rule_id === ruleId : id === baseline))
      return row === undefined ? [] : [[ruleId, openBaseline(vault, row)] as const]
    })
  )
}

interface Needs {
  readonly vault: Vault
  readonly clock: Clock
  readonly makeId: MakeId
}

/** What a rule has learned at its first evaluation, as it is kept. */
export function firstBaselineRow(
  { vault, clock, makeId }: Needs,
  rule: RuleRow,
  learned: FirstBaseline & { readonly isSecret: boolean }
): BaselineRow {
  const id = makeId('qb')
  return {
    id,
    rule_id: rule.id,
    dataset: rule.dataset,
    column_name: learned.column,
    kind: learned.cells.kind,
    condition: readDefinition(rule).config.where ?? '',
    row_count: rowsOf(learned.shape),
    ...keptShape(vault, id, learned, learned.isSecret),
    created_by: rule.created_by,
    created_at: clock.iso()
  }
}
