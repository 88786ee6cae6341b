import type { Db } from '../../../engines/metadata/index.ts'
import type { Resource, ResourceUser } from '../../../http/in-use.ts'
import type { ScheduleTarget, TargetOrder } from '../../../schedule-target.ts'

/** What a schedule names of other areas. */
export function usesOf({ resource, uses }: ScheduleTarget, order: TargetOrder): Resource[] {
  const named = resource === undefined || order.id === undefined ? [] : [{ type: resource, id: order.id }]
  return [...named, ...(uses?.(order) ?? [])]
}

/** In the transaction that writes the target. */
export async function saveUses(tx: Db, scheduleId: string, uses: readonly Resource[]): Promise<void> {
  await tx.deleteFrom('schedule_uses').where('schedule_id', '=', scheduleId).execute()
  const rows = uses.map(({ type, id }) => ({ schedule_id: scheduleId, resource_type: type, resource_id: id }))
  if (rows.length === 0) return
  await tx
    .insertInto('schedule_uses')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Schedules whose target names a resource. */
export async function usersOf(db: Db, { type, id }: Resource, limit: number): Promise<ResourceUser[]> {
  const rows = await db
    .selectFrom('schedule_uses')
    .innerJoin('schedules', 'schedules.id', 'schedule_uses.schedule_id')
    .select(['schedules.id', 'schedules.name'])
    .where('resource_type', '=', type)
    .where('resource_id', '=', id)
    .orderBy('schedules.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ type: 'schedule', ...row }))
}
