import { type Db, prepare } from '../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../http/paging.ts'
import type { SourceRow, TagRow } from './migrations.ts'
import type { SourceQuery } from './schema.ts'

const byId = prepare((db, { id }: { id: string }) => db.selectFrom('catalog_sources').selectAll().where('id', '=', id))

const byName = prepare((db, { name }: { name: string }) =>
  db.selectFrom('catalog_sources').selectAll().where('name', '=', name)
)

export const findSource = async (db: Db, id: string): Promise<SourceRow | undefined> => (await byId(db, { id }))[0]

export const findSourceByName = async (db: Db, name: string): Promise<SourceRow | undefined> =>
  (await byName(db, { name }))[0]

export const lockSource = (tx: Db, id: string): Promise<SourceRow | undefined> =>
  tx.selectFrom('catalog_sources').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertSource = (tx: Db, row: SourceRow) => tx.insertInto('catalog_sources').values(row).execute()

export const updateSource = (tx: Db, row: SourceRow) =>
  tx.updateTable('catalog_sources').set(row).where('id', '=', row.id).execute()

export async function deleteSource(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('catalog_tags').where('source_id', '=', id).execute()
  await tx.deleteFrom('catalog_sources').where('id', '=', id).execute()
}

export function listSources(db: Db, query: SourceQuery) {
  let select = db.selectFrom('catalog_sources').selectAll()
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  if (query.kind !== undefined) select = select.where('kind', '=', query.kind)
  return fetchPage(select, query, { sorts: { name: 'name', createdAt: 'id' }, id: 'id' })
}

/** Sources with a retention, ordered by identifier, at most `limit` after `after`. */
export const listWithRetention = (db: Db, after: string, limit: number): Promise<SourceRow[]> =>
  db
    .selectFrom('catalog_sources')
    .selectAll()
    .where('retention', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const lockTag = (tx: Db, sourceId: string, name: string): Promise<TagRow | undefined> =>
  tx
    .selectFrom('catalog_tags')
    .selectAll()
    .where('source_id', '=', sourceId)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()

export const saveTag = (tx: Db, row: TagRow) =>
  tx
    .insertInto('catalog_tags')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['source_id', 'name'])
        .doUpdateSet({ unit: row.unit, description: row.description, version: row.version })
    )
    .execute()

export const deleteTag = (tx: Db, sourceId: string, name: string) =>
  tx.deleteFrom('catalog_tags').where('source_id', '=', sourceId).where('name', '=', name).execute()

const MAX_NAMES = 500

/** What people have set for some tags of a source, or for all of them. */
export function findTags(db: Db, sourceId: string, names: readonly string[] | undefined): Promise<TagRow[]> {
  let select = db.selectFrom('catalog_tags').selectAll().where('source_id', '=', sourceId)
  // For very many names it is cheaper to read all tags than to name each.
  if (names !== undefined && names.length <= MAX_NAMES) select = select.where('name', 'in', names)
  return select.execute()
}
