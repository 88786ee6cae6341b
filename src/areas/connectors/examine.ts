import { hasRows } from '../../engines/metadata/index.ts'
import { type Finding, type Installation, ok, warn } from '../../finding.ts'
import { codeIn } from './condition.ts'

const SUBJECT = 'connectors'
const MAX_TOLD = 20

/** Tells which connectors failed their last test. */
export async function examineConnectors({ metadata }: Installation): Promise<Finding[]> {
  if (metadata === undefined) return []
  // A database of an older version may have no such table.
  const areThere = await hasRows(metadata.db.selectFrom('connectors')).catch(() => false)
  if (!areThere) return []
  const rows = await metadata.db
    .selectFrom('connectors')
    .select(['id', 'name', 'status_since', 'last_test'])
    .where('status', '=', 'failing')
    .orderBy('status_since')
    .limit(MAX_TOLD)
    .execute()
  if (rows.length === 0) return [ok(SUBJECT, 'none failed its last test')]
  return rows.map(({ id, name, status_since, last_test }) => {
    const mend = `POST /api/connectors/${id}/test tells the step, and what to change`
    return warn(SUBJECT, `${id} ${JSON.stringify(name)}: ${codeIn(last_test)} since ${status_since}; ${mend}`)
  })
}
