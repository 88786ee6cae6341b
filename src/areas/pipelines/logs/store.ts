import type { Db } from '../../../engines/metadata/index.ts'
import { fetchPage } from '../../../http/paging.ts'
import type { LogRow } from '../store/rows.ts'
import type { LogQuery } from './schema.ts'

export interface LinesAsked {
  readonly pipelineId: string
  /** The line read last, which comes first again where it is still there. */
  readonly from: string
  readonly limit: number
  /** Later ones are left for the next time. */
  readonly until: string | undefined
}

export function linesFrom(db: Db, { pipelineId, from, limit, until }: LinesAsked): Promise<LogRow[]> {
  let select = db.selectFrom('pipeline_logs').selectAll().where('pipeline_id', '=', pipelineId).where('id', '>=', from)
  if (until !== undefined) select = select.where('created_at', '<=', until)
  return select.orderBy('id').limit(limit).execute()
}

/** The line before the last so many; undefined where there are no more. */
export async function lineBeforeLast(db: Db, pipelineId: string, count: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('pipeline_logs')
    .select('id')
    .where('pipeline_id', '=', pipelineId)
    .orderBy('id', 'desc')
    .offset(count)
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

export function listLines(db: Db, pipelineId: string, { after: _after, ...query }: LogQuery) {
  const select = db.selectFrom('pipeline_logs').selectAll().where('pipeline_id', '=', pipelineId)
  return fetchPage(select, query, { sorts: { time: 'id' }, id: 'id', defaultSort: '-time' })
}
