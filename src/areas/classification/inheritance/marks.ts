import { type RawBuilder, sql } from 'kysely'
import { type Db, slices } from '../../../engines/metadata/index.ts'
import { prepareInserts } from '../../../engines/prepare-rows.ts'
import type { MarkRow } from '../migrations.ts'

/** A mark that was noticed. */
export type Noticed = MarkRow & { noticed_ms: number }

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

/** Adds marks that follow from others, with the time of those; what has waited for as long is not added again. */
export async function markNext(tx: Db, marks: readonly Noticed[]): Promise<void> {
  for (const some of slices(marks)) {
    const rows = await tx
      .selectFrom('classification_marks')
      .select(['kind', 'subject', sql<number>`min(noticed_ms)`.as('since')])
      .where(
        'subject',
        'in',
        some.map(({ subject }) => subject)
      )
      .where('noticed_ms', 'is not', null)
      .groupBy(['kind', 'subject'])
      .execute()
    const waiting = new Map(rows.map(({ kind, subject, since }) => [`${kind} ${subject}`, since]))
    await insert(
      tx,
      some.filter(
        ({ kind, subject, noticed_ms }) => noticed_ms < (waiting.get(`${kind} ${subject}`) ?? Number.POSITIVE_INFINITY)
      )
    )
  }
}

/** Writes when marks were first seen, some at a time; answers how many: fewer than the limit are all. */
export async function noticeMarks(tx: Db, nowMs: number, limit: number): Promise<number> {
  const last = await tx
    .selectFrom('classification_marks')
    .select(['round', 'kind', 'subject'])
    .where('noticed_ms', 'is', null)
    .orderBy('round')
    .orderBy('kind')
    .orderBy('subject')
    .limit(1)
    .offset(limit - 1)
    .executeTakeFirst()
  const upTo = last && sql`and (round, kind, subject) <= (${last.round}, ${last.kind}, ${last.subject})`
  const { numAffectedRows } = await sql`
    update classification_marks set noticed_ms = ${nowMs} where noticed_ms is null ${upTo ?? sql``}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** When the last one of the marks that wait was noticed; null where none waits that was. */
export async function lastNoticed(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('classification_marks')
    .select('noticed_ms')
    .where('noticed_ms', 'is not', null)
    .orderBy('noticed_ms', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.noticed_ms ?? null
}

/** What is done before all that the lineage tells: nobody waits for the level of a label behind 100,000 events. */
const IS_FIRST = sql<boolean>`kind <> 'into'`

/**
 * Takes marks, each once: of labels and of what follows from changes, or, where there are none, of what the lineage was told. Of
 * these those that were noticed first. Whoever takes them looks at the graph afterwards, in the same transaction, and so sees
 * every change that they stand for.
 */
export async function takeMarks(tx: Db, limits: { readonly first: number; readonly into: number }): Promise<Noticed[]> {
  const first = await takeSome(tx, IS_FIRST, limits.first)
  return first.length > 0 ? first : takeSome(tx, sql`kind = 'into'`, limits.into)
}

async function takeSome(tx: Db, which: RawBuilder<boolean>, limit: number): Promise<Noticed[]> {
  const some = await tx
    .selectFrom('classification_marks')
    .select(['noticed_ms', 'round', 'kind', 'subject'])
    .where(which)
    .where('noticed_ms', 'is not', null)
    .orderBy('noticed_ms')
    .orderBy('round')
    .orderBy('kind')
    .orderBy('subject')
    .limit(limit)
    .execute()
  const last = some.at(-1)
  if (last === undefined) return []
  const { rows } = await sql<Noticed>`
    delete from classification_marks where ${which}
      and (noticed_ms, round, kind, subject) <= (${last.noticed_ms}, ${last.round}, ${last.kind}, ${last.subject})
    returning kind, subject, round, noticed_ms`.execute(tx)
  return rows
}
