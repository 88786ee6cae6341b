import type { Db } from '../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../http/paging.ts'
import type { LevelRow, ResourceRow } from './migrations.ts'
import type { Level, LevelQuery, Resource, ResourceQuery } from './schema.ts'

/** Levels that are named to somebody who has named none. */
const MAX_NAMES = 20

export const findLevel = (db: Db, id: string) =>
  db.selectFrom('classification_levels').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const findLevelByName = (db: Db, name: string) =>
  db.selectFrom('classification_levels').selectAll().where('name', '=', name).executeTakeFirst()

export const insertLevel = (tx: Db, row: LevelRow) => tx.insertInto('classification_levels').values(row).execute()

export const updateLevel = (tx: Db, row: LevelRow) =>
  tx.updateTable('classification_levels').set(row).where('id', '=', row.id).execute()

export const deleteLevel = (tx: Db, id: string) => tx.deleteFrom('classification_levels').where('id', '=', id).execute()

export async function countUses(db: Db, level: string): Promise<number> {
  const { uses } = await db
    .selectFrom('classification_resources')
    .select((expression) => expression.fn.countAll<number>().as('uses'))
    .where('level', '=', level)
    .executeTakeFirstOrThrow()
  return uses
}

/** The kinds of data that a level is suggested for. */
export async function kindsWith(db: Db, level: string): Promise<string[]> {
  const rows = await db
    .selectFrom('classification_kinds')
    .select('kind')
    .where('level', '=', level)
    .orderBy('kind')
    .execute()
  return rows.map(({ kind }) => kind)
}

export function listLevels(db: Db, query: LevelQuery) {
  let select = db.selectFrom('classification_levels').selectAll()
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  return fetchPage(select, query, { sorts: { rank: 'rank', name: 'name' }, id: 'id', integers: ['rank'] })
}

export const findResource = (db: Db, id: string) =>
  db.selectFrom('classification_resources').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks a classification, so that nobody else changes or removes it before the transaction ends. */
export const lockResource = (tx: Db, id: string) =>
  tx.selectFrom('classification_resources').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Locks the classification of exactly this resource and these columns. */
export const lockClassified = (tx: Db, resource: string, columns: string) =>
  tx
    .selectFrom('classification_resources')
    .selectAll()
    .where('resource', '=', resource)
    .where('columns', '=', columns)
    .forUpdate()
    .executeTakeFirst()

/** The classification of exactly this resource and these columns. */
export const findClassified = (db: Db, resource: string, columns: string) =>
  db
    .selectFrom('classification_resources')
    .select('id')
    .where('resource', '=', resource)
    .where('columns', '=', columns)
    .executeTakeFirst()

/** The classifications of resources as a whole, not of single columns. */
export const findWhole = (db: Db, resources: readonly string[]) =>
  db
    .selectFrom('classification_resources')
    .select(['resource', 'level'])
    .where('resource', 'in', [...resources, ''])
    .where('columns', '=', '[]')
    .execute()

export const deleteClassified = (tx: Db, resource: string) =>
  tx.deleteFrom('classification_resources').where('resource', '=', resource).execute()

export const insertResource = (tx: Db, row: ResourceRow) =>
  tx.insertInto('classification_resources').values(row).execute()

export const updateResource = (tx: Db, { id, level, reason, version, updated_at }: ResourceRow) =>
  tx.updateTable('classification_resources').set({ level, reason, version, updated_at }).where('id', '=', id).execute()

export const deleteResource = (tx: Db, id: string) =>
  tx.deleteFrom('classification_resources').where('id', '=', id).execute()

export function listResources(db: Db, query: ResourceQuery) {
  let select = db.selectFrom('classification_resources').selectAll()
  if (query.q !== undefined) select = select.where(contains('resource', query.q))
  if (query.resource !== undefined) select = select.where('resource', '=', query.resource)
  if (query.level !== undefined) select = select.where('level', '=', query.level)
  return fetchPage(select, query, { sorts: { createdAt: 'id', resource: 'resource' }, id: 'id' })
}

export function toLevel(row: LevelRow): Level {
  const { id, name, rank, description, without_clearance: withoutClearance, version } = row
  return {
    id,
    name,
    rank,
    description,
    withoutClearance,
    version,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}

export function toResource(row: ResourceRow): Resource {
  return {
    id: row.id,
    resource: row.resource,
    level: row.level,
    columns: JSON.parse(row.columns),
    reason: row.reason,
    version: row.version,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}

/** The first of them, from the least strict on. */
export async function levelNames(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('classification_levels').select('name').orderBy('rank').limit(MAX_NAMES).execute()
  return rows.map(({ name }) => name)
}
