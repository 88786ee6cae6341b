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
    const due = await findDue(metadata.dialect, slots)(tx, { now, ...freeOf(slots) })
    if (due.length === 0) return []
    return take(due.length)(tx, { now, owner, until: toIso(nowMs + LEASE_MS), ...idsOf(due) })
  })
  return claimed.sort((a, b) => (a.run_at + a.id < b.run_at + b.id ? -1 : 1))
}

type Values = Readonly<Record<string, string | number>>

const MAX_PREPARED = 100
const finds = new BoundedMap<string, (tx: Db, values: Values) => Promise<{ id: string }[]>>(MAX_PREPARED)
const takes = new BoundedMap<number, (tx: Db, values: Values) => Promise<Claimed[]>>(MAX_PREPARED)

/** Kinds that have free slots are nearly always the same, and building the statement costs more than running it. */
function findDue(dialect: Metadata['dialect'], slots: readonly Slots[]) {
  const key = `${dialect} ${slots.map(({ kind }) => kind)}`
  let find = finds.get(key)
  if (find === undefined) {
    find = prepare((db, values: Values) => {
      const unbound = slots.map(({ kind }) => ({ kind, free: values[freeName(kind)] as number }))
      return dueJobs(db, dialect, unbound, values.now as string)
    })
    finds.set(key, find)
  }
  return find
}

const freeName = (kind: string) => `free of ${kind}`

const freeOf = (slots: readonly Slots[]): Values =>
  Object.fromEntries(slots.map(({ kind, free }) => [freeName(kind), free]))

/** A statement for each power of two, rather than one for each number of jobs. */
const roomFor = (count: number) => 2 ** Math.ceil(Math.log2(count))

function take(count: number) {
  const room = roomFor(count)
  let prepared = takes.get(room)
  if (prepared === undefined) {
    prepared = prepare((db, values: Values) => takeJobs(db, room, values))
    takes.set(room, prepared)
  }
  return prepared
}

/** The last one again and again where there is more room than jobs. */
function idsOf(due: readonly { readonly id: string }[]): Values {
  const at = (n: number) => (due[Math.min(n, due.length - 1)] as { id: string }).id
  return Object.fromEntries(Array.from({ length: roomFor(due.length) }, (_, n) => [`id ${n}`, at(n)]))
}

function takeJobs(db: Db, room: number, values: Values) {
  return db
    .updateTable('jobs')
    .set((eb) => ({
      state: 'running' as const,
      attempts: eb('attempts', '+', 1),
      fence: eb('fence', '+', 1),
      lease_owner: values.owner as string,
      lease_until: values.until as string,
      progress_permille: 0,
      progress_note: null,
      started_at: values.now as string
    }))
    .where(
      'id',
      'in',
      Array.from({ length: room }, (_, n) => values[`id ${n}`] as string)
    )
    .returning(['id', 'kind', 'payload', 'attempts', 'timeout_ms', 'deadline_at', 'fence', 'run_at'])
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
