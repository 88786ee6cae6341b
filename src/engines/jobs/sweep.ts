import { toIso } from '../clock.ts'
import { type Db, type Metadata, prepare } from '../metadata/index.ts'
import { QUEUED, RUNNING } from './table.ts'
import { DEADLINE_EXCEEDED, failed, settled } from './transitions.ts'

const BATCH = 100

/**
 * Corrects states that are not true any more: jobs of a dead replica go back to the queue, and waiting jobs past
 * their deadline fail. `own` are the runs of this process, which renews their leases itself even when it is late.
 */
export async function sweep(metadata: Metadata, own: readonly string[], nowMs: number): Promise<void> {
  await metadata.transaction(async (tx) => {
    await takeBackLeases(tx, metadata.dialect, own, nowMs)
    await failOverdue(tx, metadata.dialect, nowMs)
  })
}

const findLapsed = (dialect: Metadata['dialect']) =>
  prepare((db, { now, limit }: { readonly now: string; readonly limit: number }) =>
    db
      .selectFrom('jobs')
      .select(['id', 'attempts', 'max_attempts', 'deadline_at', 'cancel_requested', 'every_ms'])
      .where('state', '=', RUNNING)
      .where('lease_until', '<=', now)
      .orderBy('lease_until')
      .limit(limit)
      .forUpdate()
      .$if(dialect === 'postgres', (query) => query.skipLocked())
  )

const lapsedJobs = { sqlite: findLapsed('sqlite'), postgres: findLapsed('postgres') }

/** Runs of this process are left out here: named in the statement, there would be a thousand of them to build it with. */
async function takeBackLeases(tx: Db, dialect: Metadata['dialect'], own: readonly string[], nowMs: number) {
  const found = await lapsedJobs[dialect](tx, { now: toIso(nowMs), limit: BATCH + own.length })
  const isOwn = new Set(own)
  const lapsed = found.filter(({ id }) => !isOwn.has(id)).slice(0, BATCH)
  for (const job of lapsed) {
    const change = settled(job, { end: 'lapsed' }, nowMs, Math.random())
    await tx.updateTable('jobs').set(change).where('id', '=', job.id).execute()
  }
}

async function failOverdue(tx: Db, dialect: Metadata['dialect'], nowMs: number) {
  const overdue = await tx
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', QUEUED)
    .where('deadline_at', '<=', toIso(nowMs))
    .orderBy('deadline_at')
    .limit(BATCH)
    .forUpdate()
    .$if(dialect === 'postgres', (query) => query.skipLocked())
    .execute()
  if (overdue.length === 0) return
  await tx
    .updateTable('jobs')
    .set(failed(DEADLINE_EXCEEDED, nowMs))
    .where(
      'id',
      'in',
      overdue.map(({ id }) => id)
    )
    .execute()
}
