import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Db, prepare } from '../../../engines/metadata/index.ts'
import type { LetterFilter } from '../protocol/run-spec.ts'
import type { DeadLetterRow } from '../store/rows.ts'

/** The SQL of looking for dead letters. */

/** Rows that one statement looks at: whatever the filter is, none takes long. */
const LOOKED_AT = 1000
/** What is brought into memory at once, but for a single letter that is larger. */
const MAX_CHARS = 4 * 1024 * 1024
const IDS_AT_ONCE = 500

export const HEAD = ['id', 'node_id', 'code', 'run_id', 'created_at', 'replayed_at', 'size_chars'] as const

/** A row without what is long in it. */
export type LetterHead = Pick<
  DeadLetterRow,
  'id' | 'node_id' | 'code' | 'run_id' | 'created_at' | 'replayed_at' | 'size_chars'
>

export interface Search extends LetterFilter {
  readonly replayed?: boolean
  /** The last identifier that is looked at. Later ones are not committed yet, or came after the question. */
  readonly upTo: string
}

const headsAfter = prepare((db, { pipelineId, after, upTo }: { pipelineId: string; after: string; upTo: string }) =>
  db
    .selectFrom('pipeline_dead_letters')
    .select(HEAD)
    .where('pipeline_id', '=', pipelineId)
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .orderBy('id')
    .limit(LOOKED_AT)
)

/** Some of those that match, the oldest first, with where to go on; there may be none among those that were looked at. */
export async function lookFor(
  db: Db,
  pipelineId: string,
  search: Search,
  after: string,
  maxChars = MAX_CHARS
): Promise<{ heads: LetterHead[]; next: string | undefined }> {
  const { ids, upTo } = search
  const looked =
    ids === undefined ? await headsAfter(db, { pipelineId, after, upTo }) : await headsOf(db, pipelineId, ids, after)
  const heads: LetterHead[] = []
  let chars = 0
  for (const head of looked) {
    if (!matches(head, search)) continue
    chars += head.size_chars
    if (heads.length > 0 && chars > maxChars) return { heads, next: heads.at(-1)?.id }
    heads.push(head)
  }
  return { heads, next: looked.length < LOOKED_AT ? undefined : looked.at(-1)?.id }
}

async function headsOf(db: Db, pipelineId: string, ids: readonly string[], after: string): Promise<LetterHead[]> {
  const found: LetterHead[] = []
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const some = db
      .selectFrom('pipeline_dead_letters')
      .select(HEAD)
      .where('pipeline_id', '=', pipelineId)
      .where('id', 'in', ids.slice(from, from + IDS_AT_ONCE))
      .where('id', '>', after)
    found.push(...(await some.execute()))
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1))
}

function matches(head: LetterHead, { nodeId, code, runId, before, after, replayed, upTo }: Search): boolean {
  return (
    head.id <= upTo &&
    (nodeId === undefined || head.node_id === nodeId) &&
    (code === undefined || head.code === code) &&
    (runId === undefined || head.run_id === runId) &&
    (after === undefined || head.created_at >= normal(after)) &&
    (before === undefined || head.created_at < normal(before)) &&
    (replayed === undefined || (head.replayed_at !== null) === replayed)
  )
}

/** Any ISO form of an instant in the one form that is stored. */
export const normal = (time: string): string => new Date(time).toISOString()

/** All of some rows, in order. */
export async function wholeLetters(db: Db, heads: readonly LetterHead[]): Promise<DeadLetterRow[]> {
  const rows: DeadLetterRow[] = []
  for (let from = 0; from < heads.length; from += IDS_AT_ONCE) {
    const ids = heads.slice(from, from + IDS_AT_ONCE).map(({ id }) => id)
    const some = db.selectFrom('pipeline_dead_letters').selectAll().where('id', 'in', ids).orderBy('id')
    rows.push(...(await some.execute()))
  }
  return rows
}

/** Page by page, all that match; others have their turn in between. */
export async function* searchLetters(db: Db, pipelineId: string, search: Search): AsyncGenerator<LetterHead[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { heads, next } = await lookFor(db, pipelineId, search, after)
    if (heads.length > 0) yield heads
    await nextTurn()
    after = next
  }
}

/** The whole record of a letter. */
export const recordOf = ({ record, record_rest }: Pick<DeadLetterRow, 'record' | 'record_rest'>): string =>
  record_rest === null ? record : record + record_rest
