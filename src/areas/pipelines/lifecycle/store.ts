import type { Db } from '../../../engines/metadata/index.ts'
import type { RunRow } from '../store/rows.ts'

export const insertRun = (tx: Db, row: RunRow) => tx.insertInto('pipeline_runs').values(row).execute()

export const updateRun = (tx: Db, id: string, change: Partial<RunRow>) =>
  tx.updateTable('pipeline_runs').set(change).where('id', '=', id).execute()

export const deleteCheckpoint = (tx: Db, pipelineId: string) =>
  tx.deleteFrom('pipeline_checkpoints').where('pipeline_id', '=', pipelineId).execute()

export const updateCheckpoint = (tx: Db, pipelineId: string, checkpoint: string, version: number) =>
  tx.updateTable('pipeline_checkpoints').set({ checkpoint, version }).where('pipeline_id', '=', pipelineId).execute()
