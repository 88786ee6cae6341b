import type { Db } from '../../engines/metadata/index.ts'
import { fetchPage } from '../../http/paging.ts'
import type { DeadLetterQuery } from './dead-letter-schema.ts'
import type { DeadLetterRow } from './migrations.ts'

export function listLetters(db: Db, pipelineId: string, query: DeadLetterQuery) {
  let select = db.selectFrom('pipeline_dead_letters').selectAll().where('pipeline_id', '=', pipelineId)
  if (query.node !== undefined) select = select.where('node_id', '=', query.node)
  if (query.code !== undefined) select = select.where('code', '=', query.code)
  if (query.replayed !== undefined) select = select.where('replayed_at', query.replayed ? 'is not' : 'is', null)
  return fetchPage(select, query, { sorts: { createdAt: 'id' }, id: 'id', defaultSort: '-createdAt' })
}

export const findLetters = (db: Db, pipelineId: string, ids: readonly string[]): Promise<DeadLetterRow[]> =>
  db
    .selectFrom('pipeline_dead_letters')
    .selectAll()
    .where('pipeline_id', '=', pipelineId)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()

/** The oldest that wait. */
export function findWaiting(
  db: Db,
  pipelineId: string,
  nodeIds: readonly string[],
  limit: number
): Promise<DeadLetterRow[]> {
  return db
    .selectFrom('pipeline_dead_letters')
    .selectAll()
    .where('pipeline_id', '=', pipelineId)
    .where('replayed_at', 'is', null)
    .where('node_id', 'in', [...nodeIds, ''])
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function deleteLetters(tx: Db, pipelineId: string, node: string | undefined): Promise<number> {
  let deletion = tx.deleteFrom('pipeline_dead_letters').where('pipeline_id', '=', pipelineId)
  if (node !== undefined) deletion = deletion.where('node_id', '=', node)
  return Number((await deletion.executeTakeFirst()).numDeletedRows)
}
