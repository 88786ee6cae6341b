import type { Db } from '../../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../../http/paging.ts'
import type { PipelineRow, VersionRow } from '../store/rows.ts'
import type { PipelineQuery } from './schema.ts'

export function listPipelines(db: Db, query: PipelineQuery) {
  let select = db.selectFrom('pipelines').selectAll()
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  if (query.status !== undefined) select = select.where('status', '=', query.status)
  return fetchPage(select, query, { sorts: { name: 'name', createdAt: 'id' }, id: 'id' })
}

export const insertPipeline = (tx: Db, row: PipelineRow) => tx.insertInto('pipelines').values(row).execute()

export const deletePipeline = (tx: Db, id: string) => tx.deleteFrom('pipelines').where('id', '=', id).execute()

export const insertVersion = (tx: Db, row: VersionRow) => tx.insertInto('pipeline_versions').values(row).execute()

/** Deletes the versions before one, but for those that are still needed. */
export const deleteVersions = (tx: Db, pipelineId: string, before: number, kept: readonly number[]) =>
  tx
    .deleteFrom('pipeline_versions')
    .where('pipeline_id', '=', pipelineId)
    .where('version', '<', before)
    .where('version', 'not in', kept)
    .execute()
