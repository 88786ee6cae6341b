import type { Db } from '../../../engines/metadata/index.ts'
import { HealthProblem } from '../../../http/health-problem.ts'
import type { Counts } from '../scores/score.ts'
import { countRulesByStatus } from '../scores/store.ts'

/** How many enabled rules have come to what; `pending` are those that were never evaluated. */
export const conditionOf = (db: Db): Promise<Counts> => countRulesByStatus(db)

/** Rules that fail are about the data, and say that all is well here; those that can't be evaluated are not. */
export function requireWell({ error: errors }: Counts): void {
  if (errors === 0) return
  const rules = errors === 1 ? '1 rule' : `${errors} rules`
  throw new HealthProblem(`can’t be evaluated: ${rules} (see reason of GET /api/quality/results?status=error)`)
}
