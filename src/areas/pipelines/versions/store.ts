import type { Db } from '../../../engines/metadata/index.ts'
import { fetchPage } from '../../../http/paging.ts'
import type { VersionQuery } from './schema.ts'

export function listVersions(db: Db, pipelineId: string, query: VersionQuery) {
  const select = db.selectFrom('pipeline_versions').selectAll().where('pipeline_id', '=', pipelineId)
  const sorts = { version: 'version' } as const
  return fetchPage(select, query, { sorts, id: 'pipeline_id', defaultSort: '-version', integers: ['version'] })
}
