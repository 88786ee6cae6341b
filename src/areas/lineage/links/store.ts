import type { Db } from '../../../engines/metadata/index.ts'
import { fetchPage } from '../../../http/paging.ts'
import type { LinkRow } from '../migrations.ts'
import type { Link, LinkQuery } from './schema.ts'

/** A link with the references of its ends. */
export type FoundLink = LinkRow & { readonly from: string; readonly to: string }

export const withEnds = (db: Db) =>
  db
    .selectFrom('lineage_links')
    .innerJoin('lineage_nodes as source', 'source.key', 'from_node')
    .innerJoin('lineage_nodes as target', 'target.key', 'to_node')
    .selectAll('lineage_links')
    .select(['source.reference as from', 'target.reference as to'])

export const findLink = (db: Db, id: string): Promise<FoundLink | undefined> =>
  withEnds(db).where('id', '=', id).executeTakeFirst()

export async function lockLink(tx: Db, id: string): Promise<FoundLink | undefined> {
  await tx.selectFrom('lineage_links').select('id').where('id', '=', id).forUpdate().execute()
  return findLink(tx, id)
}

/** The link between two nodes that holds. */
export const findPresent = (db: Db, { from_node, to_node }: Pick<LinkRow, 'from_node' | 'to_node'>) =>
  db
    .selectFrom('lineage_links')
    .select(['id', 'version'])
    .where('from_node', '=', from_node)
    .where('to_node', '=', to_node)
    .where('ended_at', 'is', null)
    .executeTakeFirst()

export const insertLink = (tx: Db, row: LinkRow) => tx.insertInto('lineage_links').values(row).execute()

export const updateLink = (tx: Db, { id, note, columns, updated_at, ended_at, version }: LinkRow) =>
  tx.updateTable('lineage_links').set({ note, columns, updated_at, ended_at, version }).where('id', '=', id).execute()

export function listLinks(db: Db, query: LinkQuery) {
  let select = withEnds(db).where('ended_at', query.ended === true ? 'is not' : 'is', null)
  if (query.from !== undefined) select = select.where('source.reference', '=', query.from)
  if (query.to !== undefined) select = select.where('target.reference', '=', query.to)
  return fetchPage(select, query, { sorts: { createdAt: 'id' }, id: 'id' })
}

export const toLink = (row: FoundLink): Link => ({
  id: row.id,
  from: row.from,
  to: row.to,
  note: row.note,
  columns: JSON.parse(row.columns) as Link['columns'],
  createdBy: row.created_by,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  endedAt: row.ended_at
})
