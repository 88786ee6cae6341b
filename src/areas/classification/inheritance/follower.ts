import type { Clock } from '../../../engines/clock.ts'
import type { Worker } from '../../../engines/jobs/index.ts'
import { type Db, slices } from '../../../engines/metadata/index.ts'
import { inflowsInto, nameData, nodeKey, nodesBy, outflowsOf } from '../../lineage/index.ts'
import type { InheritedRow, MarkRow } from '../migrations.ts'
import { readInheritedBy, readSources, toRow } from './held.ts'
import { dataOf, labelledAmong } from './labelled.ts'
import { markNext, noticeMarks, takeMarks } from './marks.ts'
import { inheritedOf } from './rule.ts'

/** Marks that one transaction deals with, and that are noticed at once. */
export const MARKS_AT_ONCE = 20
export const NOTICED_AT_ONCE = 2000
/** Labels, and nodes with levels, that are marked at once where all are gone through. */
const SWEPT_AT_ONCE = 200

/**
 * Brings inherited levels in line with labels and lineage. What is to be done stands in marks, and a piece of it, with the
 * marks that follow, is one transaction: it can be broken off anywhere, and be done twice.
 */
export function followWorker({ clock }: { readonly clock: Clock }): Worker<null> {
  return async ({ signal, commit }) => {
    do {
      while (await commit((tx) => noticeMarks(tx, clock.now(), NOTICED_AT_ONCE))) signal.throwIfAborted()
      while (await commit((tx) => followSome(tx, MARKS_AT_ONCE))) signal.throwIfAborted()
    } while (await commit((tx) => noticeMarks(tx, clock.now(), NOTICED_AT_ONCE)))
    return null
  }
}

/** Follows the changes that were noticed first; answers whether there were any. */
export async function followSome(tx: Db, limit: number): Promise<boolean> {
  const marks = await takeMarks(tx, limit)
  if (marks.length === 0) return false
  const noticed_ms = Math.min(...marks.map((mark) => mark.noticed_ms))
  const round = Math.max(...marks.map((mark) => mark.round)) + 1
  const next = new Map<string, MarkRow>()
  const mark = (kind: MarkRow['kind'], subjects: Iterable<string>) => {
    for (const subject of subjects) next.set(`${kind} ${subject}`, { kind, subject, round, noticed_ms })
  }
  const of = (kind: MarkRow['kind']) => marks.filter((one) => one.kind === kind).map(({ subject }) => subject)
  mark('into', await followLabels(tx, of('label')))
  mark('into', await followInto(tx, of('into')))
  for (const after of of('labels')) {
    const resources = await labelsAfter(tx, after)
    mark('label', resources)
    if (resources.length === SWEPT_AT_ONCE) mark('labels', resources.slice(-1))
  }
  for (const after of of('ranks')) {
    const nodes = await nodesAfter(tx, after)
    mark('into', nodes)
    if (nodes.length === SWEPT_AT_ONCE) mark('ranks', nodes.slice(-1))
  }
  await markNext(tx, [...next.values()])
  return true
}

/** Labelled data become nodes, so that names join them to others. Answers the nodes that come after them. */
async function followLabels(tx: Db, resources: readonly string[]): Promise<Iterable<string>> {
  const references = [...new Set(resources.flatMap((resource) => dataOf(resource) ?? []))]
  const labelled = await labelledAmong(tx, references)
  await nameData(tx, [...labelled])
  return outflowsOf(tx, references.map(nodeKey))
}

/** Works out what some nodes inherit. Answers the nodes for which that makes a difference. */
async function followInto(tx: Db, keys: readonly string[]): Promise<Iterable<string>> {
  const nodes = await nodesBy(tx, keys)
  const jobs = keys.filter((key) => nodes.get(key)?.isJob)
  const data = keys.filter((key) => !nodes.get(key)?.isJob)
  const inflows = await inflowsInto(tx, data)
  const into = Map.groupBy(inflows, ({ to }) => to)
  const sources = await readSources(tx, inflows)
  const before = await readInheritedBy(tx, data)
  const changed: string[] = []
  for (const key of data) {
    const node = nodes.get(key)
    const after = node === undefined ? [] : inheritedOf(node.reference, into.get(key) ?? [], sources)
    const rows = after.map((one) => toRow(key, one))
    if (
      await replaceRows(
        tx,
        (before.get(key) ?? []).map((one) => toRow(key, one)),
        rows
      )
    )
      changed.push(key)
  }
  return outflowsOf(tx, [...jobs, ...changed])
}

/** Brings the rows of a node in line; answers whether anything was different. */
async function replaceRows(tx: Db, before: readonly InheritedRow[], after: readonly InheritedRow[]): Promise<boolean> {
  const old = new Map(before.map((row) => [row.key, JSON.stringify(row)]))
  const wanted = after.filter((row) => old.get(row.key) !== JSON.stringify(row))
  const kept = new Set(after.map(({ key }) => key))
  const gone = before.filter(({ key }) => !kept.has(key))
  for (const some of slices([...gone, ...wanted])) {
    const keys = some.map(({ key }) => key)
    await tx.deleteFrom('classification_inherited').where('key', 'in', keys).execute()
  }
  for (const some of slices(wanted, 100)) await tx.insertInto('classification_inherited').values(some).execute()
  return gone.length + wanted.length > 0
}

async function labelsAfter(tx: Db, after: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('classification_resources')
    .select('resource')
    .distinct()
    .where('resource', '>', after)
    .orderBy('resource')
    .limit(SWEPT_AT_ONCE)
    .execute()
  return rows.map(({ resource }) => resource)
}

async function nodesAfter(tx: Db, after: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('classification_inherited')
    .select('node')
    .distinct()
    .where('node', '>', after)
    .orderBy('node')
    .limit(SWEPT_AT_ONCE)
    .execute()
  return rows.map(({ node }) => node)
}
