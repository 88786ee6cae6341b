import { sql } from 'kysely'
import { type Db, type Metadata, prepare } from '../../../engines/metadata/index.ts'
import { prepareUpdates } from '../../../engines/prepare-rows.ts'
import type { ScheduleRow } from '../migrations.ts'
import type { UnderWay } from './decide.ts'

export type NextDue = Pick<ScheduleRow, 'next_due_at' | 'next_fire_at' | 'previous_due_at'>

/** Locks schedules whose time has come, the longest waiting first; those that another replica deals with are left to it. */
export const lockDue = (tx: Db, dialect: Metadata['dialect'], now: string, limit: number): Promise<ScheduleRow[]> =>
  tx
    .selectFrom('schedules')
    .selectAll()
    .where('next_fire_at', 'is not', null)
    .where('next_fire_at', '<=', now)
    .orderBy('next_fire_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .$if(dialect === 'postgres', (query) => query.skipLocked())
    .execute()

const earliest = prepare((db, _values: object) =>
  db
    .selectFrom('schedules')
    .select('next_fire_at')
    .where('next_fire_at', 'is not', null)
    .orderBy('next_fire_at')
    .limit(1)
)

/** When the next due time comes. */
export const nextFireAt = async (db: Db): Promise<string | undefined> =>
  (await earliest(db, {}))[0]?.next_fire_at ?? undefined

export const moveOn: (tx: Db, schedules: readonly (NextDue & { readonly id: string })[]) => Promise<unknown> =
  prepareUpdates('schedules', { next_due_at: 'text', next_fire_at: 'text', previous_due_at: 'text' })

/** What is under way, or waits its turn, of each of these schedules. */
export async function underWayOf(tx: Db, ids: readonly string[]): Promise<(id: string) => UnderWay> {
  const isRecovery = sql<number>`case when caught_up = 1 or kind = 'backfill' then 1 else 0 end`
  const isActive = sql<number>`case when job_id is not null or state = 'running' then 1 else 0 end`
  const rows = await tx
    .selectFrom('schedule_runs')
    .select((eb) => [
      'schedule_id',
      isRecovery.as('is_recovery'),
      isActive.as('is_active'),
      eb.fn.min('id').as('first'),
      eb.fn.countAll<number>().as('runs')
    ])
    .where('schedule_id', 'in', ids)
    .where('state', 'in', [sql.lit('queued' as const), sql.lit('running' as const)])
    .groupBy(['schedule_id', isRecovery, isActive])
    .execute()
  return (id) => {
    const own = rows.filter(({ schedule_id }) => schedule_id === id)
    const find = (recovery: number, active: number) =>
      own.find(({ is_recovery, is_active }) => Number(is_recovery) === recovery && Number(is_active) === active)
    const named = (row: { first: string } | undefined) => (row === undefined ? undefined : `the run ${row.first}`)
    return { regular: named(find(0, 1)), recovery: named(find(1, 1)), waiting: Number(find(0, 0)?.runs ?? 0) }
  }
}
