import type { Selectable } from 'kysely'
import { BoundedMap } from '../bounded-map.ts'
import { toIso } from '../clock.ts'
import { type Db, type Metadata, prepare } from '../metadata/index.ts'
import { LEASE_MS } from './limits.ts'
import { type JobsTable, QUEUED } from './table.ts'

export type Claimed = Pick<
  Selectable<JobsTable>,
  'id' | 'kind' | 'payload' | 'attempts' | 'timeout_ms' | 'deadline_at' | 'fence' | 'run_at'
>

export interface Slots {
  readonly kind: string
  readonly free: number
}

/** Takes due jobs for `owner`, of each kind up to its free slots, in the order of `run_at` and id. */
export async function claim(
  metadata: Metadata,
  slots: readonly Slots[],
  owner: string,
  nowMs: number
): Promise<Claimed[]> {
  const now = toIso(nowMs)
  const claimed = await metadata.transaction(async (tx) => {
    const due = await preparedFor(slots, metadata.dialect)(tx, { now })
    if (due.length === 0) return []
    return tx
      .updateTable('jobs')
      .set((eb) => ({
        state: 'running',
        attempts: eb('attempts', '+', 1),
        fence: eb('fence', '+', 1),
        lease_owner: owner,
        lease_until: toIso(nowMs + LEASE_MS),
        progress_permille: 0,
        progress_note: null,
        started_at: now
      }))
      .where(
        'id',
        'in',
        due.map(({ id }) => id)
      )
      .returning(['id', 'kind', 'payload', 'attempts', 'timeout_ms', 'deadline_at', 'fence', 'run_at'])
      .execute()
  })
  return claimed.sort((a, b) => (a.run_at + a.id < b.run_at + b.id ? -1 : 1))
}

type FindDue = (tx: Db, values: { now: string }) => Promise<{ id: string }[]>

const MAX_PREPARED = 100
const prepared = new BoundedMap<string, FindDue>(MAX_PREPARED)

/** The free slots are nearly always the same, and building the statement costs more than running it. */
function preparedFor(slots: readonly Slots[], dialect: Metadata['dialect']): FindDue {
  const key = `${dialect} ${slots.map(({ kind, free }) => `${kind}:${free}`)}`
  let find = prepared.get(key)
  if (find === undefined) {
    find = prepare((db, { now }: { now: string }) => dueJobs(db, dialect, slots, now))
    prepared.set(key, find)
  }
  return find
}

/**
 * One index range for each kind, so that a kind with a long queue and no free slots costs nothing. Rows that another
 * replica is claiming right now are skipped.
 */
export function dueJobs(tx: Db, dialect: Metadata['dialect'], slots: readonly Slots[], now: string) {
  const ranges = slots.map(({ kind, free }) => {
    const due = tx
      .selectFrom('jobs')
      .select('id')
      .where('state', '=', QUEUED)
      .where('kind', '=', kind)
      .where('run_at', '<=', now)
      .where((eb) => eb.or([eb('deadline_at', 'is', null), eb('deadline_at', '>', now)]))
      .orderBy('run_at')
      .orderBy('id')
      .limit(free)
      .forUpdate()
      .$if(dialect === 'postgres', (query) => query.skipLocked())
    return tx.selectFrom(due.as('due')).select('id')
  })
  return ranges.reduce((all, range) => all.unionAll(range))
}
