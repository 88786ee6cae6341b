import { sql } from 'kysely'
import { type Db, slices } from '../../../engines/metadata/index.ts'
import { findRuns } from '../claims/store.ts'
import { tellingOf } from '../claims/telling.ts'
import { nodeKey } from '../references.ts'
import type { Sighting } from '../sighting.ts'
import { type DatedFacts, dated } from './facts.ts'
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
  const news = new Map<string, DatedFacts>()
  for (const { job, how, run, nodes } of told.toSorted((a, b) => a.run.timeMs - b.run.timeMs)) {
    const startMs = starts.get(JSON.stringify([job, how, run.id]))
    if (startMs === undefined) continue
    for (const reference of nodes) {
      if (!gone.has(nodeKey(reference))) continue
      const knownMs = news.get(reference)?.deleted?.[0] ?? 0
      news.set(reference, dated({ deleted: false }, Math.max(startMs, knownMs)))
    }
  }
  await saveNodes(tx, news)
}

const nodesOf = ({ job, inputs, outputs }: Sighting): string[] => [
  job.reference,
  ...[...inputs, ...outputs].map(({ reference }) => reference)
]

/** When the newest run after a time began that names some data; undefined where none does. */
export async function lastNamed(tx: Db, node: string, afterMs: number): Promise<number | undefined> {
  const edges = await tx
    .selectFrom('lineage_edges')
    .select(['job', 'started_ms', 'seen_ms'])
    .where(({ or, eb }) => or([eb('from_node', '=', node), eb('to_node', '=', node)]))
    .where('job', '!=', '')
    .execute()
  let lastMs = edges.reduce((max, { started_ms, seen_ms }) => Math.max(max, started_ms, seen_ms ?? 0), 0)
  const named = node.replace(/[\\%_]/g, '\\$&')
  for (const jobs of slices([...new Set(edges.map(({ job }) => job))])) {
    const { rows } = await sql<{ start_ms: number | null }>`
      select max(start_ms) as start_ms from lineage_runs
      join lineage_statements on lineage_statements.job = lineage_runs.job and hash = statement
      where lineage_runs.job in (${sql.join(jobs)}) and start_ms > ${afterMs}
        and (facts like ${`%["r","${named}"]%`} escape '\\' or facts like ${`%["w","${named}"]%`} escape '\\')`.execute(
      tx
    )
    lastMs = Math.max(lastMs, rows[0]?.start_ms ?? 0)
  }
  return lastMs > afterMs ? lastMs : undefined
}
