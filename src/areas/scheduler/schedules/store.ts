import { type Db, prepare } from '../../../engines/metadata/index.ts'
import { prepareFinds, prepareUpdates } from '../../../engines/prepare-rows.ts'
import { contains, fetchPage } from '../../../http/paging.ts'
import type { ScheduleRow } from '../migrations.ts'
import type { ScheduleQuery } from './schema.ts'

const byId = prepare((db, { id }: { id: string }) => db.selectFrom('schedules').selectAll().where('id', '=', id))

export const findSchedule = async (db: Db, id: string): Promise<ScheduleRow | undefined> => (await byId(db, { id }))[0]

const locked = prepare((db, { id }: { id: string }) =>
  db.selectFrom('schedules').selectAll().where('id', '=', id).forUpdate()
)

export const lockSchedule = async (tx: Db, id: string): Promise<ScheduleRow | undefined> =>
  (await locked(tx, { id }))[0]

export const findSchedules = prepareFinds<ScheduleRow>('schedules')

export const lockSchedules = prepareFinds<ScheduleRow>('schedules', { locks: true })

export const insertSchedule = (tx: Db, row: ScheduleRow) => tx.insertInto('schedules').values(row).execute()

export const updateSchedule = (tx: Db, id: string, change: Partial<ScheduleRow>) =>
  tx.updateTable('schedules').set(change).where('id', '=', id).execute()

/** Writes down which run ended last, and how many failed one after the other. */
export const countRuns = prepareUpdates('schedules', { failures: 'integer', last_run_id: 'text' })

export async function deleteSchedule(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('schedule_runs').where('schedule_id', '=', id).execute()
  await tx.deleteFrom('schedules').where('id', '=', id).execute()
}

export function listSchedules(db: Db, query: ScheduleQuery) {
  let select = db.selectFrom('schedules').selectAll()
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  if (query.enabled !== undefined) select = select.where('enabled', '=', query.enabled ? 1 : 0)
  if (query.targetType !== undefined) select = select.where('target_type', '=', query.targetType)
  if (query.targetId !== undefined) select = select.where('target_id', '=', query.targetId)
  if (query.failing !== undefined) select = select.where('failures', query.failing ? '>' : '=', 0)
  return fetchPage(select, query, { sorts: { name: 'name', createdAt: 'id' }, id: 'id' })
}
