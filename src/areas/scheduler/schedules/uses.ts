import type { Db } from '../../../engines/metadata/index.ts'
import type { Resource, ResourceUser } from '../../../http/in-use.ts'
import { findByTarget } from './store.ts'

/** The target types whose `id` names a resource of that kind. */
const TYPES: Partial<Record<Resource['type'], string>> = {
  'catalog-source': 'downsample',
  pipeline: 'pipeline'
}

/** Schedules that name a resource in their target. */
export async function usersOf(db: Db, { type, id }: Resource, limit: number): Promise<ResourceUser[]> {
  const target = TYPES[type]
  if (target === undefined) return []
  const rows = await findByTarget(db, target, id, limit)
  return rows.map(({ id, name }) => ({ type: 'schedule', id, name }))
}
