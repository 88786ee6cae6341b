import type { Clock } from '../../../engines/clock.ts'
import type { Worker } from '../../../engines/jobs/index.ts'
import { type Db, lockNames, slices } from '../../../engines/metadata/index.ts'
import { inflowsInto, nameData, nodeKey, nodesBy, outflowsOf, reachedOf } from '../../lineage/index.ts'
import type { InheritedRow, MarkRow } from '../migrations.ts'
import { readInheritedBy, readSources, toRow, withLevels } from './held.ts'
import { dataOf, labelledAmong } from './labelled.ts'
import { FOLLOW_JOB, markNext, type Noticed, noticeMarks, takeMarks } from './marks.ts'
import { inheritedOf } from './rule.ts'

/** Marks that one transaction deals with: those of which levels are worked out, and those of which few are about levels. */
export const MARKS_AT_ONCE = { first: 20, into: 500 }
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
      while ((await commit((tx) => noticeMarks(tx, clock.now(), NOTICED_AT_ONCE))) > 0) signal.throwIfAborted()
      while (await commit((tx) => followSome(tx, MARKS_AT_ONCE))) signal.throwIfAborted()
    } while ((await commit((tx) => noticeMarks(tx, clock.now(), NOTICED_AT_ONCE))) > 0)
    return null
  }
}

/** Follows some changes; answers whether there were any. */
export async function followSome(tx: Db, limits: typeof MARKS_AT_ONCE): Promise<boolean> {
  // One at a time: another's would be about levels that this one changes.
  await lockNames(tx, [FOLLOW_JOB], 'alone')
  const marks = await takeMarks(tx, limits)
  if (marks.length === 0) return false
  const noticed_ms = Math.min(...marks.map((mark) => mark.noticed_ms))
  const round = Math.max(...marks.map((mark) => mark.round)) + 1
  const next = new Map<string, Noticed>()
  const mark = (kind: MarkRow['kind'], subjects: Iterable<string>) => {
    for (const subject of subjects) next.set(`${kind} ${subject}`, { kind, subject, round, noticed_ms })
  }
  const of = (kind: MarkRow['kind']) => [
    ...new Set(marks.filter((one) => one.kind === kind).map(({ subject }) => subject))
  ]
  mark('node', await followLabels(tx, of('label')))
  mark('node', await followInto(tx, of('into')))
  mark('node', await followNodes(tx, of('node')))
  for (const after of of('labels')) {
    const resources = await labelsAfter(tx, after)
    mark('label', resources)
    if (resources.length === SWEPT_AT_ONCE) mark('labels', resources.slice(-1))
  }
  for (const after of of('ranks')) {
    const nodes = await nodesAfter(tx, after)
    mark('node', nodes)
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

/** Answers those, among nodes of which the lineage was told something, whose levels may be others for it: mostly none. */
async function followInto(tx: Db, keys: readonly string[]): Promise<Iterable<string>> {
  if (keys.length === 0) return []
  const nodes = await nodesBy(tx, keys)
  const jobs = keys.filter((key) => nodes.get(key)?.isJob)
  const data = keys.filter((key) => !nodes.get(key)?.isJob)
  return reachedOf(tx, { data, jobs }, (some) => withLevels(tx, some))
}

/** Works out what some data inherit. Answers the nodes for which that makes a difference. */
async function followNodes(tx: Db, keys: readonly string[]): Promise<Iterable<string>> {
  if (keys.length === 0) return []
  const nodes = await nodesBy(tx, keys)
  const inflows = await inflowsInto(tx, keys)
  const into = Map.groupBy(inflows, ({ to }) => to)
  const sources = await readSources(tx, inflows)
  const before = await readInheritedBy(tx, keys)
  const changed: string[] = []
  for (const key of keys) {
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
  return outflowsOf(tx, changed)
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
