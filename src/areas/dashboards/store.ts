import type { Db } from '../../engines/metadata/index.ts'
import type { Resource, ResourceUser } from '../../http/in-use.ts'
import { contains, fetchPage } from '../../http/paging.ts'
import type { Actor } from '../../http/permissions.ts'
import { visibleTo } from './access/rights.ts'
import { publicNameOf } from './lineage.ts'
import type { DashboardRow, GrantRow } from './migrations.ts'
import type { DashboardQuery } from './schema.ts'

const MAX_FOLDERS = 10_000

export const findDashboard = (db: Db, id: string): Promise<DashboardRow | undefined> =>
  db.selectFrom('dashboards').selectAll().where('id', '=', id).executeTakeFirst()

export const lockDashboard = (tx: Db, id: string): Promise<DashboardRow | undefined> =>
  tx.selectFrom('dashboards').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertDashboard = (tx: Db, row: DashboardRow) => tx.insertInto('dashboards').values(row).execute()

export const updateDashboard = (tx: Db, row: DashboardRow) =>
  tx.updateTable('dashboards').set(row).where('id', '=', row.id).execute()

export const deleteDashboard = (tx: Db, id: string) => tx.deleteFrom('dashboards').where('id', '=', id).execute()

export const grantsOf = (db: Db, id: string): Promise<GrantRow[]> =>
  db
    .selectFrom('dashboard_grants')
    .selectAll()
    .where('dashboard_id', '=', id)
    .orderBy('kind')
    .orderBy('grantee')
    .execute()

/** The grants of several dashboards that concern one actor's rights; few, since they are those of a page. */
export const grantsOfAll = (db: Db, ids: readonly string[]): Promise<GrantRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('dashboard_grants').selectAll().where('dashboard_id', 'in', ids).execute()

export async function favouritesAmong(db: Db, userId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('dashboard_favourites')
    .select('dashboard_id')
    .where('user_id', '=', userId)
    .where('dashboard_id', 'in', ids)
    .execute()
  return new Set(rows.map(({ dashboard_id }) => dashboard_id))
}

export function listDashboards(db: Db, actor: Actor, query: DashboardQuery) {
  let select = db.selectFrom('dashboards').selectAll('dashboards').where(visibleTo(actor))
  const { q, folder, tag, owner, favourite, resource } = query
  if (q !== undefined) select = select.where(contains('name', q))
  if (folder !== undefined) {
    // Text from `a/` up to, and without, `a0`: the character behind the slash.
    const below = (end: string) => `${folder}${end}`
    select = select.where((eb) =>
      eb.or([eb('folder', '=', folder), eb.and([eb('folder', '>=', below('/')), eb('folder', '<', below('0'))])])
    )
  }
  if (tag !== undefined) {
    select = select.where('id', 'in', db.selectFrom('dashboard_tags').select('dashboard_id').where('tag', '=', tag))
  }
  if (owner !== undefined) select = select.where('owner_id', '=', owner === 'me' ? actor.id : owner)
  if (favourite !== undefined) {
    const own = db.selectFrom('dashboard_favourites').select('dashboard_id').where('user_id', '=', actor.id)
    select = select.where('id', favourite ? 'in' : 'not in', own)
  }
  if (resource !== undefined) {
    const users = db.selectFrom('dashboard_uses').select('dashboard_id').where('resource_id', '=', resource)
    select = select.where('id', 'in', users)
  }
  return fetchPage(select, query, { sorts: { name: 'name', updatedAt: 'updated_at', createdAt: 'id' }, id: 'id' })
}

export const listFolders = (db: Db, actor: Actor) =>
  db
    .selectFrom('dashboards')
    .where(visibleTo(actor))
    .where('folder', '!=', '')
    .select(['folder', db.fn.countAll<number>().as('dashboards')])
    .groupBy('folder')
    .orderBy('folder')
    .limit(MAX_FOLDERS)
    .execute()

/** Writes what lists filter by, in the transaction that writes the dashboard. */
export async function saveTags(tx: Db, id: string, tags: readonly string[]): Promise<void> {
  await tx.deleteFrom('dashboard_tags').where('dashboard_id', '=', id).execute()
  if (tags.length === 0) return
  await tx
    .insertInto('dashboard_tags')
    .values(tags.map((tag) => ({ dashboard_id: id, tag })))
    .execute()
}

/** Writes what a dashboard names of other areas, in the transaction that writes the dashboard. */
export async function saveUses(tx: Db, id: string, resources: readonly Pick<Resource, 'type' | 'id'>[]): Promise<void> {
  await tx.deleteFrom('dashboard_uses').where('dashboard_id', '=', id).execute()
  if (resources.length === 0) return
  const rows = resources.map((resource) => ({
    dashboard_id: id,
    resource_type: resource.type,
    resource_id: resource.id
  }))
  await tx.insertInto('dashboard_uses').values(rows).execute()
}

/** The dashboards that read a resource. */
export async function usersOf(db: Db, { type, id }: Resource, limit: number): Promise<ResourceUser[]> {
  const rows = await db
    .selectFrom('dashboard_uses')
    .innerJoin('dashboards', 'dashboards.id', 'dashboard_uses.dashboard_id')
    .select(['dashboards.id', 'dashboards.name', 'dashboards.everyone'])
    .where('resource_type', '=', type)
    .where('resource_id', '=', id)
    .orderBy('dashboards.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ type: 'dashboard', id: row.id, name: publicNameOf(row) }))
}
