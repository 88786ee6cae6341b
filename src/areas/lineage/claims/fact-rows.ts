import type { Db } from '../../../engines/metadata/index.ts'
import { markInto } from '../../classification/index.ts'
import type { EdgeRow, MappingRow } from '../migrations.ts'
import type { Period } from './periods.ts'
import { type Fact, isMapping, readFact } from './statement.ts'
import type { JobName } from './store.ts'
import * as store from './store.ts'

/** A period of a fact, as it is written down: an edge of the graph, or what becomes of a column. */
export type FactRow = EdgeRow | MappingRow

/** How long it lasted, as rows have it: see `EdgeRow`. */
type Lasting = Pick<EdgeRow, 'started_ms' | 'ended_ms' | 'seen_ms' | 'runs'>

/** `wholeRuns` are those of the job. */
export const lastingOf = (period: Period, wholeRuns: number): Lasting =>
  period.endedMs === null
    ? { started_ms: period.startedMs, ended_ms: null, seen_ms: null, runs: wholeRuns - period.runs }
    : { started_ms: period.startedMs, ended_ms: period.endedMs, seen_ms: period.seenMs, runs: period.runs }

export function rowOf({ job, how }: JobName, text: string, lasting: Lasting): FactRow {
  const fact = readFact(text)
  if (isMapping(fact)) {
    const [from_node, from_column, to_node, to_column, kind] = fact
    return { job, how, from_node, from_column, to_node, to_column, kind, ...lasting, who: null }
  }
  const [letter, node] = fact
  const ends = letter === 'r' ? { from_node: node, to_node: job } : { from_node: job, to_node: node }
  return { ...ends, how, job, type: letter === 'r' ? 'reads' : 'writes', ...lasting, who: null }
}

const isMappingRow = (row: FactRow): row is MappingRow => 'kind' in row
const isEdgeRow = (row: FactRow): row is EdgeRow => !isMappingRow(row)

/** The fact that a row is a period of. */
export function factOf(row: FactRow): string {
  const fact: Fact = isMappingRow(row)
    ? [row.from_node, row.from_column, row.to_node, row.to_column, row.kind]
    : row.type === 'reads'
      ? ['r', row.from_node]
      : ['w', row.to_node]
  return JSON.stringify(fact)
}

export async function insertRows(tx: Db, rows: readonly FactRow[]): Promise<void> {
  await store.insertEdges(tx, rows.filter(isEdgeRow))
  await store.insertMappings(tx, rows.filter(isMappingRow))
  await mark(tx, rows)
}

/** Levels follow what there is, and what is no more: also of runs that are told late, and were over long ago. */
const mark = (tx: Db, rows: readonly FactRow[]): Promise<void> =>
  markInto(
    tx,
    rows.map(({ to_node }) => to_node)
  )

/** All rows of these jobs. */
export async function rowsOf(tx: Db, jobs: readonly JobName[]): Promise<FactRow[]> {
  return [...(await store.edgesOf(tx, jobs)), ...(await store.mappingsOf(tx, jobs))]
}

/** Puts rows in the place of others. */
export async function replaceRows(tx: Db, old: readonly FactRow[], news: readonly FactRow[]): Promise<void> {
  const kept = new Set(news.map(keyOf))
  await deleteRows(
    tx,
    old.filter((row) => !kept.has(keyOf(row)))
  )
  const known = new Set(old.map(keyOf))
  const [again, added] = [news.filter((row) => known.has(keyOf(row))), news.filter((row) => !known.has(keyOf(row)))]
  await saveRows(tx, again)
  await insertRows(tx, added)
  await mark(tx, [...old, ...again])
}

const keyOf = (row: FactRow): string => `${row.job} ${row.how} ${factOf(row)} ${row.started_ms}`

export async function deleteRows(tx: Db, rows: readonly FactRow[]): Promise<void> {
  await store.deleteEdges(tx, rows.filter(isEdgeRow))
  await store.deleteMappings(tx, rows.filter(isMappingRow))
  await mark(tx, rows)
}

async function saveRows(tx: Db, rows: readonly FactRow[]): Promise<void> {
  await store.saveEdges(tx, rows.filter(isEdgeRow))
  await store.saveMappings(tx, rows.filter(isMappingRow))
}

/** A row that lasts, as it is when it ends: `end` says when, the last time that it was seen, and the whole runs of the job until then. */
export function endedRow<R extends FactRow>(row: R, end: FactRow): R {
  const seen_ms = Math.max(row.started_ms, end.seen_ms ?? 0)
  return { ...row, ended_ms: end.ended_ms, seen_ms, runs: end.runs - row.runs }
}

/** Ends rows that last. */
export async function endRows(tx: Db, ends: readonly FactRow[]): Promise<void> {
  const endOf = new Map(ends.map((end) => [lineOf(end), end]))
  const edges = await store.lastingEdges(tx, ends.filter(isEdgeRow))
  const mappings = await store.lastingMappings(tx, ends.filter(isMappingRow))
  await saveRows(
    tx,
    [...edges, ...mappings].map((row) => endedRow(row, endOf.get(lineOf(row)) as FactRow))
  )
  await mark(tx, ends)
}

/** Of a fact of a job, whenever it is. */
const lineOf = (row: FactRow): string => `${row.job} ${row.how} ${factOf(row)}`
