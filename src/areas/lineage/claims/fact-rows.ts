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
  await store.insertEdges(
    tx,
    rows.filter((row): row is EdgeRow => !isMappingRow(row))
  )
  await store.insertMappings(tx, rows.filter(isMappingRow))
  await markHeld(tx, rows)
}

/** Levels follow what begins or ceases to hold. */
async function markHeld(tx: Db, rows: readonly FactRow[]): Promise<void> {
  const held = rows.filter(({ ended_ms }) => ended_ms === null)
  await markInto(
    tx,
    held.map(({ to_node }) => to_node)
  )
}

export async function rowsOf(tx: Db, job: JobName): Promise<FactRow[]> {
  return [...(await store.edgesOf(tx, job)), ...(await store.mappingsOf(tx, job))]
}

export async function deleteRow(tx: Db, row: FactRow): Promise<void> {
  if (isMappingRow(row)) await store.deleteMapping(tx, row)
  else await store.deleteEdge(tx, row)
  await markHeld(tx, [row])
}

interface Ending {
  readonly ends: readonly string[]
  readonly endedMs: number
  /** When they were last seen, unless they began later. */
  readonly seenMs: number
  /** Whole runs of the job before the one that ended them. */
  readonly runs: number
}

export async function endRows(tx: Db, job: JobName, { ends, endedMs, seenMs, runs }: Ending): Promise<void> {
  const rows = ends.map((text) => rowOf(job, text, { started_ms: 0, ended_ms: endedMs, seen_ms: seenMs, runs }))
  for (const row of rows) {
    if (isMappingRow(row)) await store.endMapping(tx, row)
    else await store.endEdge(tx, row)
  }
  await markInto(
    tx,
    rows.map(({ to_node }) => to_node)
  )
}
