import type { Clock } from '../../../engines/clock.ts'
import { type Db, hasRows, type Metadata } from '../../../engines/metadata/index.ts'
import type { LabelCache } from '../clearance/label-cache.ts'
import { followSome, MARKS_AT_ONCE, NOTICED_AT_ONCE } from './follower.ts'
import { lastNoticed, noticeMarks } from './marks.ts'

/** How long whoever is about to write data waits for levels to be right. */
const PATIENCE_MS = 10_000

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly cache: Pick<LabelCache, 'forget'>
}

/**
 * Follows all changes that wait now, rather than leave them to the job: to be called after the lineage was told of new data
 * and before anybody can read them. Answers whether levels are right; there may be too much to follow at once.
 */
export async function settle({ metadata, clock, cache }: Needs): Promise<boolean> {
  const { db } = metadata
  if (!(await hasRows(db.selectFrom('classification_resources')))) return true
  const untilMs = clock.elapsed() + PATIENCE_MS
  const upToMs = await noticeAll(metadata, clock)
  // A mark is there until all that follows from it is: whoever follows it, none is left when that is committed.
  while (upToMs !== null && (await isWaiting(db, upToMs))) {
    if (clock.elapsed() > untilMs) return false
    await metadata.transaction((tx) => followSome(tx, MARKS_AT_ONCE))
  }
  cache.forget()
  return true
}

/**
 * Notices all changes that there are now. Answers the time up to which they, and those that were noticed before, bear: what
 * others change from then on, such as events that never end, is not waited for.
 */
async function noticeAll({ transaction, db }: Metadata, clock: Clock): Promise<number | null> {
  while ((await transaction((tx) => noticeMarks(tx, clock.now(), NOTICED_AT_ONCE))) === NOTICED_AT_ONCE);
  return lastNoticed(db)
}

const isWaiting = (db: Db, upToMs: number): Promise<boolean> =>
  hasRows(db.selectFrom('classification_marks').where('noticed_ms', '<=', upToMs))
