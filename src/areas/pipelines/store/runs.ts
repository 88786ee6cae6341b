import { type Db, prepare } from '../../../engines/metadata/index.ts'
import type { RunRow } from './rows.ts'

const runById = prepare((db, { id }: { id: string }) => db.selectFrom('pipeline_runs').selectAll().where('id', '=', id))

export const findRun = async (db: Db, id: string): Promise<RunRow | undefined> => (await runById(db, { id }))[0]
