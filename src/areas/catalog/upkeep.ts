import { type Clock, toIso } from '../../engines/clock.ts'
import type { Jobs, Worker } from '../../engines/jobs/index.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import type { Series } from '../../engines/series/index.ts'
import { parseDuration, timeBefore } from '../../http/times.ts'
import type { SourceRow } from './migrations.ts'
import { findSource, listWithRetention } from './store.ts'

const BATCH = 100
/** After so long any write that had begun when the source or tag was deleted has ended, on every replica. */
const DROP_AGAIN_MS = 120_000

/** Many attempts, because nothing else removes these points later. */
const DROP_ATTEMPTS = 100

const DROP = 'catalog.drop'
const SWEEP = 'catalog.sweep'
const FORGET = 'catalog.forget'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  series(): Promise<Series>
}

interface OneSource {
  readonly sourceId: string
}

interface OneTag extends OneSource {
  readonly tag: string
}

/** Frees the space of deleted sources and tags, and of points that are older than their source keeps them. */
export function upkeep({ metadata, clock, series }: Needs): Record<string, Worker<never>> {
  const retain = async ({ id, retention }: SourceRow) => {
    const duration = retention === null ? undefined : parseDuration(retention)
    const fromMs = duration && timeBefore(clock.now(), duration)
    if (fromMs !== undefined) await (await series()).retain(id, fromMs)
  }
  const drop: Worker<OneSource> = async ({ payload }) => (await series()).drop(payload.sourceId)
  const sweep: Worker<OneTag> = async ({ payload }) => (await series()).sweepTag(payload.sourceId, payload.tag)
  const forget: Worker<OneSource> = async ({ payload }) => {
    const row = await findSource(metadata.db, payload.sourceId)
    if (row !== undefined) await retain(row)
  }
  const retainAll: Worker<null> = async ({ signal }) => {
    for (let after = ''; ; ) {
      const rows = await listWithRetention(metadata.db, after, BATCH)
      for (const row of rows) {
        if (signal.aborted) return
        await retain(row)
      }
      if (rows.length < BATCH) return
      after = rows.at(-1)?.id ?? after
    }
  }
  return { [DROP]: drop, [SWEEP]: sweep, [FORGET]: forget, 'catalog.retain': retainAll }
}

/** To be called in the transaction that deletes a source: its points are removed after the commit. */
export async function dropSource(tx: Db, jobs: Jobs, clock: Clock, sourceId: string): Promise<void> {
  const payload: OneSource = { sourceId }
  await jobs.enqueue(tx, { kind: DROP, payload, maxAttempts: DROP_ATTEMPTS })
  await jobs.enqueue(tx, { kind: DROP, payload, maxAttempts: DROP_ATTEMPTS, runAt: toIso(clock.now() + DROP_AGAIN_MS) })
}

/** Removes what is left of a deleted tag, now and again when no write can add to it any more. */
export async function sweepTag(tx: Db, jobs: Jobs, clock: Clock, payload: OneTag): Promise<void> {
  const job = { kind: SWEEP, payload, maxAttempts: DROP_ATTEMPTS }
  await jobs.enqueue(tx, job)
  await jobs.enqueue(tx, { ...job, runAt: toIso(clock.now() + DROP_AGAIN_MS) })
}

/** To be called in the transaction that changes the retention of a source. */
export async function forgetOld(tx: Db, jobs: Jobs, sourceId: string): Promise<void> {
  const payload: OneSource = { sourceId }
  await jobs.enqueue(tx, { kind: FORGET, payload, key: sourceId })
}
