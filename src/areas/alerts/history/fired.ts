import { type Db, slices } from '../../../engines/metadata/index.ts'
import type { AlertRow } from '../migrations.ts'

export interface FiredAlert {
  readonly id: string
  readonly ruleName: string
  readonly labels: Readonly<Record<string, string>>
  readonly severity: string
  readonly startedAt: string
  readonly resolvedAt: string | null
}

/** The alerts of rules that read any of these sources and buckets, which fired within a time; the newest first. */
export async function firedAbout(
  db: Db,
  resourceIds: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
  limit: number
): Promise<FiredAlert[]> {
  const found: FiredAlert[] = []
  for (const ids of slices(resourceIds)) {
    const rules = db.selectFrom('alert_rule_uses').select('rule_id').where('resource_id', 'in', ids)
    const rows = await db
      .selectFrom('alerts')
      .select(['id', 'rule_name', 'labels', 'severity', 'started_at', 'resolved_at'])
      .where('rule_id', 'in', rules)
      .where('started_at', '<', to)
      .where((eb) => eb.or([eb('resolved_at', 'is', null), eb('resolved_at', '>=', from)]))
      .orderBy('started_at', 'desc')
      .limit(limit)
      .execute()
    found.push(...rows.map(toFired))
  }
  return found.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1)).slice(0, limit)
}

type Row = Pick<AlertRow, 'id' | 'rule_name' | 'labels' | 'severity' | 'started_at' | 'resolved_at'>

const toFired = (row: Row): FiredAlert => ({
  id: row.id,
  ruleName: row.rule_name,
  labels: JSON.parse(row.labels),
  severity: row.severity,
  startedAt: row.started_at,
  resolvedAt: row.resolved_at
})
