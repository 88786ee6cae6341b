import type { Db } from '../../../engines/metadata/index.ts'
import { fetchPage } from '../../../http/paging.ts'
import type { RunQuery } from './schema.ts'

export function listRuns(db: Db, pipelineId: string, query: RunQuery) {
  let select = db.selectFrom('pipeline_runs').selectAll().where('pipeline_id', '=', pipelineId)
  if (query.status !== undefined) select = select.where('status', '=', query.status)
  if (query.kind !== undefined) select = select.where('replay', query.kind === 'replay' ? 'is not' : 'is', null)
  return fetchPage(select, query, { sorts: { startedAt: 'id' }, id: 'id', defaultSort: '-startedAt' })
}
