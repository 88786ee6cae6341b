import type { Clock } from '../../../engines/clock.ts'
import { hasRows, type Metadata } from '../../../engines/metadata/index.ts'
import type { LabelCache } from '../clearance/label-cache.ts'
import { followSome, MARKS_AT_ONCE, NOTICED_AT_ONCE } from './follower.ts'
import { noticeMarks } from './marks.ts'

/** How long whoever is about to write data waits for levels to be right. */
const PATIENCE_MS = 10_000

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly cache: Pick<LabelCache, 'forget'>
}

/**
 * Follows all changes that wait, rather than leave them to the job: to be called after the lineage was told of new data and
 * before anybody can read them. Answers whether levels are right now; there may be too much to follow at once.
 */
export async function settle({ metadata, clock, cache }: Needs): Promise<boolean> {
  const { db } = metadata
  if (!(await hasRows(db.selectFrom('classification_resources')))) return true
  const untilMs = clock.elapsed() + PATIENCE_MS
  // A mark is there until all that follows from it is: whoever follows it, none is left when that is committed.
  while (await hasRows(db.selectFrom('classification_marks'))) {
    if (clock.elapsed() > untilMs) return false
    await metadata.transaction((tx) => noticeMarks(tx, clock.now(), NOTICED_AT_ONCE))
    await metadata.transaction((tx) => followSome(tx, MARKS_AT_ONCE))
  }
  cache.forget()
  return true
}
