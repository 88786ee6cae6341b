import type { Happening } from '../../../area.ts'
import type { Db } from '../../../engines/metadata/index.ts'

/** One more than alert rules take. */
const LIMIT = 1001

/** Data with suggestions that nobody has decided about. */
export async function openSuggestions(db: Db): Promise<{ happenings: Happening[]; cursor: string }> {
  const rows = await db
    .selectFrom('classification_suggestions')
    .select(['resource', 'kind'])
    .distinct()
    .where('status', '=', 'open')
    .orderBy('resource')
    .orderBy('kind')
    .limit(LIMIT)
    .execute()
  return { happenings: rows.map(({ resource, kind }) => ({ resource, kind })), cursor: '' }
}
