import type { Db } from '../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../http/paging.ts'
import type { LevelRow, ResourceRow } from './migrations.ts'
import type { Level, LevelQuery, Resource, ResourceQuery } from './schema.ts'

export const findLevel = (db: Db, id: string) =>
  db.selectFrom('classification_levels').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const findLevelByName = (db: Db, name: string) =>
  db.selectFrom('classification_levels').selectAll().where('name', '=', name).executeTakeFirst()

export const insertLevel = (tx: Db, row: LevelRow) => tx.insertInto('classification_levels').values(row).execute()

export const updateLevel = (tx: Db, row: LevelRow) =>
  tx.updateTable('classification_levels').set(row).where('id', '=', row.id).execute()

export const deleteLevel = (tx: Db, id: string) => tx.deleteFrom('classification_levels').where('id', '=', id).execute()

export async function countUses(db: Db, levelId: string): Promise<number> {
  const { uses } = await db
    .selectFrom('classification_resources')
    .select((expression) => expression.fn.countAll<number>().as('uses'))
    .where('level_id', '=', levelId)
    .executeTakeFirstOrThrow()
  return uses
}

export function listLevels(db: Db, query: LevelQuery) {
  let select = db.selectFrom('classification_levels').selectAll()
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  return fetchPage(select, query, { sorts: { rank: 'rank', name: 'name' }, id: 'id', integers: ['rank'] })
}

/** A classification with the level it names. */
export type LabelledRow = ResourceRow & { level: string; rank: number }

/** As a table of its own, so that a page can be ordered and searched by plain column names. */
function labelled(db: Db) {
  const joined = db
    .selectFrom('classification_resources')
    .innerJoin('classification_levels', 'classification_levels.id', 'classification_resources.level_id')
    .selectAll('classification_resources')
    .select(['classification_levels.name as level', 'classification_levels.rank as rank'])
  return db.selectFrom(joined.as('labelled')).selectAll()
}

export const findResource = (db: Db, id: string) => labelled(db).where('id', '=', id).executeTakeFirst()

/** Keeps others from changing or removing the classification until the transaction ends. */
export async function lockResource(tx: Db, id: string) {
  await tx.selectFrom('classification_resources').select('id').where('id', '=', id).forUpdate().execute()
  return findResource(tx, id)
}

/** The classification of exactly this, locked like the one above. */
export async function lockClassified(tx: Db, resource: string, columns: string) {
  const found = await tx
    .selectFrom('classification_resources')
    .select('id')
    .where('resource', '=', resource)
    .where('columns', '=', columns)
    .forUpdate()
    .executeTakeFirst()
  return found && findResource(tx, found.id)
}

export const insertResource = (tx: Db, row: ResourceRow) =>
  tx.insertInto('classification_resources').values(row).execute()

export const updateResource = (tx: Db, { id, level_id, reason, version, updated_at }: ResourceRow) =>
  tx
    .updateTable('classification_resources')
    .set({ level_id, reason, version, updated_at })
    .where('id', '=', id)
    .execute()

export const deleteResource = (tx: Db, id: string) =>
  tx.deleteFrom('classification_resources').where('id', '=', id).execute()

export function listResources(db: Db, query: ResourceQuery) {
  let select = labelled(db)
  if (query.q !== undefined) select = select.where(contains('resource', query.q))
  if (query.resource !== undefined) select = select.where('resource', '=', query.resource)
  if (query.level !== undefined) select = select.where('level', '=', query.level)
  return fetchPage(select, query, { sorts: { createdAt: 'id', resource: 'resource' }, id: 'id' })
}

export function toLevel(row: LevelRow): Level {
  const { id, name, rank, description, version } = row
  return { id, name, rank, description, version, createdAt: row.created_at, updatedAt: row.updated_at }
}

export function toResource(row: LabelledRow): Resource {
  return {
    id: row.id,
    resource: row.resource,
    level: row.level,
    rank: row.rank,
    columns: JSON.parse(row.columns),
    reason: row.reason,
    version: row.version,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}
