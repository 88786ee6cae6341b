import { sql } from 'kysely'
import { type Db, slices } from '../../../engines/metadata/index.ts'
import { prepareInserts } from '../../../engines/prepare-rows.ts'
import type { MarkRow } from '../migrations.ts'

/** The job that deals with marks. */
export const FOLLOW_JOB = 'classification.follow'

const insert = prepareInserts('classification_marks', ['kind', 'subject', 'round', 'noticed_ms'])

/**
 * Notes, in the transaction of the change, that something else comes into these nodes of the lineage from now on: data, or
 * jobs for all that they write.
 */
export async function markInto(tx: Db, nodes: Iterable<string>): Promise<void> {
  await insert(tx, [...new Set(nodes)].map(freshly('into')))
}

/** Notes, in the transaction of the change, that the label of a resource is new, another or gone. */
export async function markLabel(tx: Db, resource: string): Promise<void> {
  await insert(tx, [freshly('label')(resource)])
}

/** Notes, in the transaction of the change, that levels have another order. */
export async function markRanks(tx: Db): Promise<void> {
  await insert(tx, [freshly('ranks')('')])
}

const freshly =
  (kind: MarkRow['kind']) =>
  (subject: string): MarkRow => ({ kind, subject, round: 0, noticed_ms: null })

/** Adds marks that follow from others, with the time of those; what waits already is not added again. */
export async function markNext(tx: Db, marks: readonly MarkRow[]): Promise<void> {
  for (const some of slices(marks)) {
    const rows = await tx
      .selectFrom('classification_marks')
      .select(['kind', 'subject'])
      .where(
        'subject',
        'in',
        some.map(({ subject }) => subject)
      )
      .execute()
    const waiting = new Set(rows.map(({ kind, subject }) => `${kind} ${subject}`))
    await insert(
      tx,
      some.filter(({ kind, subject }) => !waiting.has(`${kind} ${subject}`))
    )
  }
}

/** Writes when marks were first seen, some at a time; answers whether there were any. */
export async function noticeMarks(tx: Db, nowMs: number, limit: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update classification_marks set noticed_ms = ${nowMs} where noticed_ms is null and (kind, subject) in
      (select kind, subject from classification_marks where noticed_ms is null limit ${limit})`.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

/**
 * Takes the marks that were noticed first, each once. Whoever takes them looks at the graph afterwards, in the same
 * transaction, and so sees every change that they stand for.
 */
export async function takeMarks(tx: Db, limit: number): Promise<(MarkRow & { noticed_ms: number })[]> {
  const { rows } = await sql<MarkRow & { noticed_ms: number }>`
    delete from classification_marks where (kind, subject, round, noticed_ms) in
      (select distinct kind, subject, round, noticed_ms from classification_marks where noticed_ms is not null
        order by noticed_ms, round, kind, subject limit ${limit})
    returning kind, subject, round, noticed_ms`.execute(tx)
  return rows
}
