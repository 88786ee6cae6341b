import type { Happening } from '../../area.ts'
import { toIso } from '../../engines/clock.ts'
import type { Db } from '../../engines/metadata/index.ts'

const LASTS_MS = 3600_000
/** One more than alert rules take. */
const LIMIT = 1001

/** Kinds of jobs of which some were given up within the last hour. */
export async function givenUp(
  db: Db,
  _cursor: string | null,
  nowMs: number
): Promise<{ happenings: Happening[]; cursor: string }> {
  const rows = await db
    .selectFrom('jobs')
    .select('kind')
    .distinct()
    .where('state', '=', 'failed')
    .where('finished_at', '>', toIso(nowMs - LASTS_MS))
    .limit(LIMIT)
    .execute()
  return { happenings: rows.map(({ kind }) => ({ kind })), cursor: '' }
}
