import { type Finding, type Installation, ok, warn } from '../../../finding.ts'
import { conditionOf } from './condition.ts'

const SUBJECT = 'quality'
const TABLES = ['quality_rules', 'quality_results']

/** What the doctor says of quality rules. */
export async function checkQuality({ metadata }: Installation): Promise<Finding[]> {
  if (metadata === undefined) return []
  const names = new Set((await metadata.db.introspection.getTables()).map(({ name }) => name))
  // In a database that is empty, or of an older version, they may not be.
  if (!TABLES.every((name) => names.has(name))) return []
  const condition = await conditionOf(metadata.db)
  const counts = Object.entries(condition).flatMap(([status, rules]) => (rules === 0 ? [] : [`${rules} ${status}`]))
  if (counts.length === 0) return []
  const { error: errors } = condition
  if (errors === 0) return [ok(SUBJECT, `rules: ${counts.join(', ')}`)]
  return [
    warn(
      SUBJECT,
      `${errors} rule(s) can’t be evaluated: GET /api/quality/results?status=error says why (${counts.join(', ')})`
    )
  ]
}
