import { type Kysely, sql } from 'kysely'
import { toIso } from '../clock.ts'
import { type Db, type Metadata, prepare, type Tables } from '../metadata/index.ts'
import { prepareReads, prepareRows } from '../prepare-rows.ts'
import { LeaseLost } from './errors.ts'
import { LEASE_MS } from './limits.ts'
import { RUNNING } from './table.ts'
import { type Outcome, settled } from './transitions.ts'

export interface Lease {
  readonly id: string
  readonly fence: number
  readonly owner: string
}

export interface Progress {
  readonly permille: number
  readonly note: string | null
}

/** Throws unless the lease is held, and locks the job until the transaction ends. */
export async function hold(tx: Db, { id, fence, owner }: Lease, nowMs: number): Promise<void> {
  const held = await extend(tx, { id, fence, owner, until: toIso(nowMs + LEASE_MS) })
  if (held.length === 0) throw new LeaseLost(id)
}

const extend = prepare((db, { id, fence, owner, until }: Lease & { readonly until: string }) =>
  db
    .updateTable('jobs')
    .set({ lease_until: until })
    .where('id', '=', id)
    .where('state', '=', RUNNING)
    .where('fence', '=', fence)
    .where('lease_owner', '=', owner)
    .returning('id')
)

const standingOf = prepare((db, { id, fence, owner }: Lease) =>
  db
    .selectFrom('jobs')
    .select(['attempts', 'max_attempts', 'deadline_at', 'cancel_requested', 'every_ms'])
    .where('id', '=', id)
    .where('state', '=', RUNNING)
    .where('fence', '=', fence)
    .where('lease_owner', '=', owner)
    .forUpdate()
)

/** What `settled` says of a success that was the only one wanted: most jobs end so, and need not be read before. */
const succeed = prepare(
  (db, { id, fence, owner, result, now }: Lease & { readonly result: string; readonly now: string }) =>
    db
      .updateTable('jobs')
      .set({
        state: 'succeeded',
        lease_owner: null,
        lease_until: null,
        result,
        error: null,
        progress_permille: 1000,
        finished_at: now
      })
      .where('id', '=', id)
      .where('state', '=', RUNNING)
      .where('fence', '=', fence)
      .where('lease_owner', '=', owner)
      .where('every_ms', 'is', null)
      .returning('id')
)

type Given = Kysely<Tables & { given: { id: string; fence: number } }>

/** What `succeed` does, for many at once and with no result. */
const succeedAll = prepareRows((db, leases: readonly (Lease & { readonly now: string })[]) => {
  const pairs = leases.map(({ id, fence }) => sql`(${id}, ${fence})`)
  const [{ owner, now }] = leases as [(typeof leases)[number]]
  return (db as unknown as Given)
    .with('given(id, fence)', () => sql<{ id: string; fence: number }>`(values ${sql.join(pairs)})` as never)
    .updateTable('jobs')
    .from('given')
    .set({
      state: 'succeeded',
      lease_owner: null,
      lease_until: null,
      result: 'null',
      error: null,
      progress_permille: 1000,
      finished_at: now
    })
    .whereRef('jobs.id', '=', 'given.id')
    .where('jobs.fence', '=', sql<number>`cast(given.fence as bigint)`)
    .where('jobs.state', '=', RUNNING)
    .where('jobs.lease_owner', '=', owner)
    .where('jobs.every_ms', 'is', null)
    .returning('jobs.id')
})

/** Ends jobs as succeeded within the caller's transaction; answers which of them were held. */
export async function conclude(tx: Db, leases: readonly Lease[], nowMs: number): Promise<ReadonlySet<string>> {
  const now = toIso(nowMs)
  const held = await succeedAll(
    tx,
    leases.map(({ id, fence, owner }) => ({ id, fence, owner, now }))
  )
  return new Set(held.map(({ id }) => id))
}

/** Records how an attempt ended, unless another run has the job by now. */
export async function settle(
  metadata: Metadata,
  { id, fence, owner, news }: Lease & { readonly news: Progress | undefined },
  outcome: Outcome,
  nowMs: number
): Promise<void> {
  await metadata.transaction(async (tx) => {
    if (outcome.end === 'succeeded' && news === undefined) {
      const succeeded = { id, fence, owner, result: outcome.result, now: toIso(nowMs) }
      if ((await succeed(tx, succeeded)).length > 0) return
    }
    const [job] = await standingOf(tx, { id, fence, owner })
    if (job === undefined) return
    const change = { ...columns(news), ...settled(job, outcome, nowMs, Math.random()) }
    await tx.updateTable('jobs').set(change).where('id', '=', id).execute()
  })
}

type Extension = Pick<Lease, 'id' | 'owner'> & { readonly until: string }

const extensions = (dialect: Metadata['dialect']) =>
  prepareReads((db, rows: readonly Extension[]) => {
    const [{ owner, until }] = rows as [Extension]
    // On PostgreSQL a locked row is held by a commit of the run itself, or is about to be lost: never wait for it.
    const free = db
      .selectFrom('jobs')
      .select('id')
      .where(
        'id',
        'in',
        rows.map(({ id }) => id)
      )
      .where('state', '=', RUNNING)
      .where('lease_owner', '=', owner)
      .forUpdate()
      .$if(dialect === 'postgres', (query) => query.skipLocked())
    return db
      .updateTable('jobs')
      .set({ lease_until: until })
      .where('id', 'in', free)
      .returning(['id', 'fence', 'cancel_requested'])
  })

/** A thousand jobs may be under way, and to build a statement about them takes longer than to run it. */
const extendAll = { sqlite: extensions('sqlite'), postgres: extensions('postgres') }

/** `held`: the row is locked by a transaction under way, so nothing was written. */
export type Renewal = 'renewed' | 'held' | 'cancel-requested' | 'lost'

/** Renews all leases at once, and writes new progress. */
export async function renew(
  metadata: Metadata,
  leases: readonly (Pick<Lease, 'id' | 'fence'> & { readonly news: Progress | undefined })[],
  owner: string,
  nowMs: number
): Promise<Map<string, Renewal>> {
  const ids = leases.map(({ id }) => id)
  return metadata.transaction(async (tx) => {
    const until = toIso(nowMs + LEASE_MS)
    const renewed = await extendAll[metadata.dialect](
      tx,
      ids.map((id) => ({ id, owner, until }))
    )
    const mine = new Map(renewed.map((row) => [row.id, row]))
    const passedOver = ids.filter((id) => !mine.has(id))
    const held = passedOver.length === 0 ? [] : await jobsStillHeld(tx, passedOver, owner)
    for (const { id, news } of leases) {
      if (news !== undefined && mine.has(id)) {
        await tx.updateTable('jobs').set(columns(news)).where('id', '=', id).execute()
      }
    }
    const kept = new Map(held.map((row) => [row.id, row]))
    return new Map(
      leases.map(({ id, fence }) => [
        id,
        mine.has(id) ? verdict(mine.get(id), fence, 'renewed') : verdict(kept.get(id), fence, 'held')
      ])
    )
  })
}

function jobsStillHeld(tx: Db, ids: readonly string[], owner: string) {
  return tx
    .selectFrom('jobs')
    .select(['id', 'fence', 'cancel_requested'])
    .where('id', 'in', ids)
    .where('state', '=', RUNNING)
    .where('lease_owner', '=', owner)
    .execute()
}

interface Holding {
  fence: number
  cancel_requested: number
}

function verdict(row: Holding | undefined, fence: number, otherwise: 'renewed' | 'held'): Renewal {
  if (row === undefined || row.fence !== fence) return 'lost'
  return row.cancel_requested === 1 ? 'cancel-requested' : otherwise
}

function columns(progress: Progress | undefined) {
  return progress === undefined ? {} : { progress_permille: progress.permille, progress_note: progress.note }
}
