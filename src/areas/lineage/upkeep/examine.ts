import { toIso } from '../../../engines/clock.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { type Finding, type Installation, ok, warn } from '../../../finding.ts'
import { countLineage } from './counts.ts'

const SUBJECT = 'lineage'
const DAY_MS = 86_400_000
/** Pruning is hourly; a server that was stopped for a while catches up within a day of running. */
const LATE_DAYS = 2

/** How much there is, and whether what is too old is removed. */
export async function checkLineage({ metadata, clock, config }: Installation): Promise<Finding[]> {
  if (metadata === undefined || !(await areThere(metadata.db))) return []
  const { db } = metadata
  const { nodes, edges, jobs, runs } = await countLineage(db)
  if (nodes === 0) return [ok(SUBJECT, 'nothing is known yet')]
  const oldest = await db
    .selectFrom('lineage_edges')
    .select('started_ms')
    // What follows from names holds at all times.
    .where('started_ms', '>', 0)
    .orderBy('started_ms')
    .limit(1)
    .executeTakeFirst()
  const since = oldest === undefined ? '' : `, since ${toIso(oldest.started_ms)}`
  const found = [ok(SUBJECT, `${nodes} nodes, ${edges} edges that hold, ${runs} runs of ${jobs} jobs${since}`)]
  const days = config.lineageKeepDays
  if (days === 0) return found
  const late = await db
    .selectFrom('lineage_edges')
    .select('ended_ms')
    .where('ended_ms', '<', clock.now() - (days + LATE_DAYS) * DAY_MS)
    .limit(1)
    .executeTakeFirst()
  if (late !== undefined) {
    found.push(
      warn(
        SUBJECT,
        `edges that ended more than ${days} days ago are still there: the job lineage.prune does not run, or fails`
      )
    )
  }
  return found
}

/** In a database of an older version they may not be. */
async function areThere(db: Db): Promise<boolean> {
  const names = new Set((await db.introspection.getTables()).map(({ name }) => name))
  return ['nodes', 'jobs', 'runs', 'edges', 'links'].every((name) => names.has(`lineage_${name}`))
}
