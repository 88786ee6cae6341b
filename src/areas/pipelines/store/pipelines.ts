import { type Db, prepare } from '../../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../../http/paging.ts'
import type { PipelineQuery } from '../definition/schema.ts'
import type { PipelineRow, RunRow, VersionRow } from '../migrations.ts'
import type { RunQuery } from '../runs/schema.ts'
import type { VersionQuery } from '../versions/schema.ts'

const byId = prepare((db, { id }: { id: string }) => db.selectFrom('pipelines').selectAll().where('id', '=', id))

export const findPipeline = async (db: Db, id: string): Promise<PipelineRow | undefined> => (await byId(db, { id }))[0]

export const lockPipeline = (tx: Db, id: string): Promise<PipelineRow | undefined> =>
  tx.selectFrom('pipelines').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertPipeline = (tx: Db, row: PipelineRow) => tx.insertInto('pipelines').values(row).execute()

export const updatePipeline = (tx: Db, id: string, change: Partial<PipelineRow>) =>
  tx.updateTable('pipelines').set(change).where('id', '=', id).execute()

export const deletePipeline = (tx: Db, id: string) => tx.deleteFrom('pipelines').where('id', '=', id).execute()

export function listPipelines(db: Db, query: PipelineQuery) {
  let select = db.selectFrom('pipelines').selectAll()
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  if (query.status !== undefined) select = select.where('status', '=', query.status)
  return fetchPage(select, query, { sorts: { name: 'name', createdAt: 'id' }, id: 'id' })
}

export const findVersion = (db: Db, pipelineId: string, version: number): Promise<VersionRow | undefined> =>
  db
    .selectFrom('pipeline_versions')
    .selectAll()
    .where('pipeline_id', '=', pipelineId)
    .where('version', '=', version)
    .executeTakeFirst()

export function listVersions(db: Db, pipelineId: string, query: VersionQuery) {
  const select = db.selectFrom('pipeline_versions').selectAll().where('pipeline_id', '=', pipelineId)
  const sorts = { version: 'version' } as const
  return fetchPage(select, query, { sorts, id: 'pipeline_id', defaultSort: '-version', integers: ['version'] })
}

export const insertVersion = (tx: Db, row: VersionRow) => tx.insertInto('pipeline_versions').values(row).execute()

/** Those before a version, but for those that are still needed. */
export const deleteVersions = (tx: Db, pipelineId: string, before: number, kept: readonly number[]) =>
  tx
    .deleteFrom('pipeline_versions')
    .where('pipeline_id', '=', pipelineId)
    .where('version', '<', before)
    .where('version', 'not in', kept)
    .execute()

const runById = prepare((db, { id }: { id: string }) => db.selectFrom('pipeline_runs').selectAll().where('id', '=', id))

export const findRun = async (db: Db, id: string): Promise<RunRow | undefined> => (await runById(db, { id }))[0]

export const insertRun = (tx: Db, row: RunRow) => tx.insertInto('pipeline_runs').values(row).execute()

export const updateRun = (tx: Db, id: string, change: Partial<RunRow>) =>
  tx.updateTable('pipeline_runs').set(change).where('id', '=', id).execute()

export function listRuns(db: Db, pipelineId: string, query: RunQuery) {
  let select = db.selectFrom('pipeline_runs').selectAll().where('pipeline_id', '=', pipelineId)
  if (query.status !== undefined) select = select.where('status', '=', query.status)
  if (query.kind !== undefined) select = select.where('replay', query.kind === 'replay' ? 'is not' : 'is', null)
  return fetchPage(select, query, { sorts: { startedAt: 'id' }, id: 'id', defaultSort: '-startedAt' })
}

export const deleteCheckpoint = (tx: Db, pipelineId: string) =>
  tx.deleteFrom('pipeline_checkpoints').where('pipeline_id', '=', pipelineId).execute()

export const updateCheckpoint = (tx: Db, pipelineId: string, checkpoint: string, version: number) =>
  tx.updateTable('pipeline_checkpoints').set({ checkpoint, version }).where('pipeline_id', '=', pipelineId).execute()
