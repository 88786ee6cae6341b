import { type Db, prepare } from '../../../engines/metadata/index.ts'
import { orNotFound } from '../../../http/rows.ts'
import type { PipelineRow } from './rows.ts'

/** The SQL of pipelines that several rooms need; what only one needs is in its own `store.ts`. */

const byId = prepare((db, { id }: { id: string }) => db.selectFrom('pipelines').selectAll().where('id', '=', id))

export const findPipeline = async (db: Db, id: string): Promise<PipelineRow | undefined> => (await byId(db, { id }))[0]

export const updatePipeline = (tx: Db, id: string, change: Partial<PipelineRow>) =>
  tx.updateTable('pipelines').set(change).where('id', '=', id).execute()

export function requirePipeline(db: Db, id: string): Promise<PipelineRow> {
  return orNotFound(findPipeline(db, id))
}

/** For a transaction that changes it: nobody else does until it ends. */
export function lockedPipeline(tx: Db, id: string): Promise<PipelineRow> {
  return orNotFound(tx.selectFrom('pipelines').selectAll().where('id', '=', id).forUpdate().executeTakeFirst())
}
