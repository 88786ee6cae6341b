import type { Db } from '../../../engines/metadata/index.ts'
import { fetchPage } from '../../../http/paging.ts'
import { HEAD, normal } from '../supervisor/letter-search.ts'
import type { DeadLetterQuery } from './schema.ts'

export function listLetters(db: Db, pipelineId: string, upTo: string, query: DeadLetterQuery) {
  const { nodeId, code, runId, before, after, replayed, ...page } = query
  let select = db
    .selectFrom('pipeline_dead_letters')
    .select([...HEAD, 'input_id', 'reason', 'record', 'origin'])
    .where('pipeline_id', '=', pipelineId)
    .where('id', '<=', upTo)
  if (nodeId !== undefined) select = select.where('node_id', '=', nodeId)
  if (code !== undefined) select = select.where('code', '=', code)
  if (runId !== undefined) select = select.where('run_id', '=', runId)
  if (after !== undefined) select = select.where('created_at', '>=', normal(after))
  if (before !== undefined) select = select.where('created_at', '<', normal(before))
  if (replayed !== undefined) select = select.where('replayed_at', replayed ? 'is not' : 'is', null)
  return fetchPage(select, page, { sorts: { createdAt: 'id' }, id: 'id', defaultSort: '-createdAt' })
}

export type ListedRow = Awaited<ReturnType<typeof listLetters>>['rows'][number]

/** The kinds of dead letters that wait, the most frequent first. */
export const listCounts = (db: Db, pipelineId: string, limit: number) =>
  db
    .selectFrom('pipeline_letter_counts')
    .select(['node_id', 'code', 'waiting'])
    .where('pipeline_id', '=', pipelineId)
    .orderBy('waiting', 'desc')
    .orderBy('node_id')
    .orderBy('code')
    .limit(limit)
    .execute()

/** The oldest or newest of a kind that waits. */
export const findEnd = (
  db: Db,
  pipelineId: string,
  { node_id, code }: { node_id: string; code: string },
  upTo: string,
  end: 'asc' | 'desc'
) =>
  db
    .selectFrom('pipeline_dead_letters')
    .select(['created_at', 'reason'])
    .where('pipeline_id', '=', pipelineId)
    .where('replayed_at', 'is', null)
    .where('node_id', '=', node_id)
    .where('code', '=', code)
    .where('id', '<=', upTo)
    .orderBy('id', end)
    .limit(1)
    .executeTakeFirst()
