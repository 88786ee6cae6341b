import type { CompiledQuery } from 'kysely'
import type { Db } from '../../../engines/metadata/index.ts'
import type { DeadLetterRow } from '../store/rows.ts'

/** The SQL of dead letters as they come and go. */

/** Rows that one INSERT writes. The statement for exactly so many is built once. */
const AT_ONCE = 100
const IDS_AT_ONCE = 500

const COLUMNS = [
  'id',
  'pipeline_id',
  'run_id',
  'node_id',
  'input_id',
  'code',
  'reason',
  'record',
  'record_rest',
  'size_chars',
  'columns',
  'origin',
  'created_at',
  'replayed_at'
] as const satisfies readonly (keyof DeadLetterRow)[]

/** The statement that inserts `AT_ONCE` rows, their values one row after the other; by the dialect that compiles it. */
const compiled = new WeakMap<object, CompiledQuery>()

export async function insertLetters(tx: Db, rows: readonly DeadLetterRow[]): Promise<void> {
  const whole = rows.length - (rows.length % AT_ONCE)
  for (let from = 0; from < whole; from += AT_ONCE) {
    const parameters: unknown[] = []
    for (let i = from; i < from + AT_ONCE; i++) {
      const row = rows[i] as DeadLetterRow
      for (const column of COLUMNS) parameters.push(row[column])
    }
    await tx.executeQuery({ ...insertMany(tx, rows), parameters })
  }
  if (whole < rows.length) await tx.insertInto('pipeline_dead_letters').values(rows.slice(whole)).execute()
}

/** Building it anew would cost more than running it. */
function insertMany(tx: Db, rows: readonly DeadLetterRow[]): CompiledQuery {
  const { adapter } = tx.getExecutor()
  const known = compiled.get(adapter)
  if (known !== undefined) return known
  const some = rows.slice(0, AT_ONCE).map((row) => {
    return Object.fromEntries(COLUMNS.map((column) => [column, row[column]])) as unknown as DeadLetterRow
  })
  const query = tx.insertInto('pipeline_dead_letters').values(some).compile()
  compiled.set(adapter, query)
  return query
}

/** How many dead letters of one node and one code wait. */
export interface Count {
  readonly node_id: string
  readonly code: string
  readonly waiting: number
  readonly size_chars: number
}

/** The counts of some, added to others. */
export function counted(
  before: ReadonlyMap<string, Count>,
  rows: readonly Pick<DeadLetterRow, 'node_id' | 'code' | 'size_chars'>[]
): Map<string, Count> {
  const counts = new Map<string, { -readonly [K in keyof Count]: Count[K] }>()
  for (const [key, count] of before) counts.set(key, { ...count })
  for (const { node_id, code, size_chars } of rows) {
    const key = `${node_id}\n${code}`
    const count = counts.get(key)
    if (count === undefined) counts.set(key, { node_id, code, waiting: 1, size_chars })
    else {
      count.waiting += 1
      count.size_chars += size_chars
    }
  }
  return counts
}

export async function addCounts(tx: Db, pipelineId: string, counts: readonly Count[]): Promise<void> {
  for (const count of counts) {
    await tx
      .insertInto('pipeline_letter_counts')
      .values({ ...count, pipeline_id: pipelineId })
      .onConflict((conflict) =>
        conflict.columns(['pipeline_id', 'node_id', 'code']).doUpdateSet((set) => ({
          waiting: set('pipeline_letter_counts.waiting', '+', set.ref('excluded.waiting')),
          size_chars: set('pipeline_letter_counts.size_chars', '+', set.ref('excluded.size_chars'))
        }))
      )
      .execute()
  }
}

async function takeCounts(tx: Db, pipelineId: string, counts: readonly Count[]): Promise<void> {
  if (counts.length === 0) return
  const less = counts.map((count) => ({ ...count, waiting: -count.waiting, size_chars: -count.size_chars }))
  await addCounts(tx, pipelineId, less)
  await tx
    .deleteFrom('pipeline_letter_counts')
    .where('pipeline_id', '=', pipelineId)
    .where('waiting', '<=', 0)
    .execute()
}

/** All that wait in a pipeline. */
export async function totalOf(db: Db, pipelineId: string): Promise<{ waiting: number; chars: number }> {
  const { waiting, chars } = await db
    .selectFrom('pipeline_letter_counts')
    .select((select) => [
      select.fn.sum<number | null>('waiting').as('waiting'),
      select.fn.sum<number | null>('size_chars').as('chars')
    ])
    .where('pipeline_id', '=', pipelineId)
    .executeTakeFirstOrThrow()
  return { waiting: Number(waiting ?? 0), chars: Number(chars ?? 0) }
}

export async function markReplayed(tx: Db, pipelineId: string, ids: readonly string[], at: string): Promise<void> {
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const marked = await tx
      .updateTable('pipeline_dead_letters')
      .set({ replayed_at: at })
      .where('pipeline_id', '=', pipelineId)
      .where('id', 'in', ids.slice(from, from + IDS_AT_ONCE))
      .where('replayed_at', 'is', null)
      .returning(['node_id', 'code', 'size_chars'])
      .execute()
    await takeCounts(tx, pipelineId, [...counted(new Map(), marked).values()])
  }
}

/** Some, as many as one statement may name; answers how many went. */
export async function deleteLetters(tx: Db, pipelineId: string, ids: readonly string[]): Promise<number> {
  const deleted = await tx
    .deleteFrom('pipeline_dead_letters')
    .where('pipeline_id', '=', pipelineId)
    .where('id', 'in', ids)
    .returning(['node_id', 'code', 'size_chars', 'replayed_at'])
    .execute()
  const waited = deleted.filter(({ replayed_at }) => replayed_at === null)
  await takeCounts(tx, pipelineId, [...counted(new Map(), waited).values()])
  return deleted.length
}

/** What a run that is gone had staged and not committed, some at a time; answers how many went. */
export async function deleteStaged(tx: Db, pipelineId: string, upTo: string): Promise<number> {
  const found = await tx
    .selectFrom('pipeline_dead_letters')
    .select('id')
    .where('pipeline_id', '=', pipelineId)
    .where('id', '>', upTo)
    .limit(IDS_AT_ONCE)
    .execute()
  const ids = found.map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('pipeline_dead_letters').where('id', 'in', ids).execute()
  return ids.length
}
