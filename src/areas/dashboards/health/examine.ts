import { type Finding, type Installation, ok, warn } from '../../../finding.ts'
import { conditionOf } from './condition.ts'

const SUBJECT = 'dashboards'
const TABLES = ['dashboards', 'dashboard_shares', 'users']

/** What the doctor says of dashboards. */
export async function checkDashboards({ metadata, clock }: Installation): Promise<Finding[]> {
  if (metadata === undefined) return []
  const names = new Set((await metadata.db.introspection.getTables()).map(({ name }) => name))
  // In a database that is empty, or of an older version, they may not be.
  if (!TABLES.every((name) => names.has(name))) return []
  const { dashboards, shares, endless, orphaned } = await conditionOf(metadata.db, clock.iso())
  if (dashboards === 0) return []
  const told = `${dashboards} dashboard(s), ${shares.active} link(s) that work, ${endless} of them without an end`
  if (orphaned === 0) return [ok(SUBJECT, told)]
  const remedy = 'whoever needs them makes new ones; DELETE /api/dashboards/:id/shares/:shareId takes these away'
  return [warn(SUBJECT, `${orphaned} link(s) show nothing, because their makers are disabled: ${remedy} (${told})`)]
}
