import { sql } from 'kysely'
import { type Db, slices } from '../../../engines/metadata/index.ts'
import { findRuns } from '../claims/store.ts'
import { tellingOf } from '../claims/telling.ts'
import { nodeKey } from '../references.ts'
import type { Sighting } from '../sighting.ts'
import { type Absence, type DatedFacts, endedBy } from './facts.ts'
import { saveNodes } from './store.ts'

/**
 * Something that was said to be gone is there again where a run that began later names it. `gone` are the keys of those
 * among the nodes of the sightings that were ever said to be gone.
 */
export async function takeBack(tx: Db, sightings: readonly Sighting[], gone: ReadonlySet<string>): Promise<void> {
  if (gone.size === 0) return
  const told = sightings.map((sighting) => ({ ...tellingOf(sighting), nodes: nodesOf(sighting) }))
  const runs = await findRuns(
    tx,
    told.map(({ job, how, run }) => ({ job, how, id: run.id }))
  )
  const starts = new Map(runs.map(({ job, how, id, start_ms }) => [JSON.stringify([job, how, id]), start_ms]))
  const times = new Map<string, number[]>()
  for (const { job, how, run, nodes } of told) {
    const startMs = starts.get(JSON.stringify([job, how, run.id]))
    if (startMs === undefined) continue
    for (const key of nodes) if (gone.has(key)) times.getOrInsertComputed(key, () => []).push(startMs)
  }
  await endAbsences(tx, [...times.keys()], (key, absences) => endedBy(absences, times.get(key) ?? []))
}

/** What was deleted is there again, as `ended` says of its deletions. */
export async function endAbsences(
  tx: Db,
  nodes: readonly string[],
  ended: (key: string, absences: readonly Absence[]) => readonly Absence[]
): Promise<void> {
  const news = new Map<string, DatedFacts>()
  for (const keys of slices(nodes)) {
    const rows = await tx
      .selectFrom('lineage_nodes')
      .select(['key', 'reference', 'facts'])
      .where('key', 'in', keys)
      .execute()
    for (const { key, reference, facts } of rows) {
      const { deleted } = JSON.parse(facts) as DatedFacts
      if (deleted !== undefined) news.set(reference, { deleted: ended(key, deleted) })
    }
  }
  await saveNodes(tx, news)
}

/** Those that are there because a run names them. What the platform wants to read of its own objects need not be there. */
const nodesOf = ({ job, inputs, outputs, provenance }: Sighting): string[] =>
  [
    job.reference,
    ...inputs.map(({ reference }) => reference).filter((one) => provenance.how !== 'captured' || !IS_OBJECT.test(one)),
    ...outputs.map(({ reference }) => reference)
  ].map(nodeKey)

const IS_OBJECT = /^object:/

/** When the first run after a time began that names some data; null where none does. */
export async function firstNamed(tx: Db, node: string, afterMs: number): Promise<number | null> {
  const edges = await tx
    .selectFrom('lineage_edges')
    .select(['job', 'started_ms', 'seen_ms'])
    .where(({ or, eb }) => or([eb('from_node', '=', node), eb('to_node', '=', node)]))
    .where('job', '!=', '')
    .execute()
  const times = edges.flatMap(({ started_ms, seen_ms }) => [started_ms, seen_ms ?? 0])
  const named = node.replace(/[\\%_]/g, '\\$&')
  for (const jobs of slices([...new Set(edges.map(({ job }) => job))])) {
    const { rows } = await sql<{ start_ms: number | null }>`
      select min(start_ms) as start_ms from lineage_runs
      join lineage_statements on lineage_statements.job = lineage_runs.job and hash = statement
      where lineage_runs.job in (${sql.join(jobs)}) and start_ms > ${afterMs}
        and (facts like ${`%["r","${named}"]%`} escape '\\' or facts like ${`%["w","${named}"]%`} escape '\\')`.execute(
      tx
    )
    times.push(rows[0]?.start_ms ?? 0)
  }
  const later = times.map(Number).filter((ms) => ms > afterMs)
  return later.length === 0 ? null : Math.min(...later)
}
