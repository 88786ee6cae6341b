import { sql } from 'kysely'
import { toIso } from '../../../engines/clock.ts'
import { jobName } from '../claims/store.ts'
import type { EdgeRow, JobRow, NodeRow } from '../migrations.ts'
import { type DatedFacts, goneSince, undated } from '../nodes/facts.ts'
import type { Edge, Node } from '../schema.ts'
import { type ClaimedEdge, isOneOf } from './edge-reader.ts'
import type { GraphReader } from './reader.ts'

const KEYS_AT_ONCE = 1000
/** Columns of a node that a graph shows; the node itself shows all. */
const MAX_SHOWN_COLUMNS = 100

/** Rows of nodes by their keys. */
export async function readNodes(reader: GraphReader, keys: readonly string[]): Promise<Map<string, NodeRow>> {
  const found = new Map<string, NodeRow>()
  for (const { row } of reader.unstored ?? []) if (keys.includes(row.key)) found.set(row.key, row)
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    const some = keys.slice(from, from + KEYS_AT_ONCE)
    const query = reader.db
      .selectFrom('lineage_nodes')
      .selectAll()
      .where(isOneOf(reader, sql.ref('key'), some))
    for (const row of await query.execute()) found.set(row.key, row)
  }
  return found
}

/** A node as it is shown, as of a time. */
export function toNode(row: NodeRow, atMs: number, maxColumns = MAX_SHOWN_COLUMNS): Node {
  const facts = JSON.parse(row.facts) as DatedFacts
  const { columns, owners = [], description = '' } = undated(facts)
  const sinceMs = goneSince(facts, atMs)
  return {
    id: row.reference,
    kind: row.kind,
    name: row.name,
    description,
    owners: [...owners],
    columns: (columns ?? []).slice(0, maxColumns).map(({ name, type }) => ({ name, type: type ?? null })),
    columnCount: columns?.length ?? null,
    deleted: sinceMs !== null,
    deletedAt: sinceMs === null ? null : toIso(sinceMs)
  }
}

/** Edges as they are shown; the nodes at their ends are in `nodes`, and the jobs that know them in `jobs`. */
export function toEdges(
  edges: readonly ClaimedEdge[],
  nodes: ReadonlyMap<string, NodeRow>,
  jobs: ReadonlyMap<string, SpeakingJob>
): Edge[] {
  return edges.map(({ from, to, claims }) => ({
    from: nodes.get(from)?.reference ?? from,
    to: nodes.get(to)?.reference ?? to,
    type: claims[0]?.type as EdgeRow['type'],
    ...lastingOf(claims, jobs)
  }))
}

/** A job, as far as what it claims depends on it. */
export type SpeakingJob = Pick<JobRow, 'job' | 'how' | 'who' | 'whole_runs' | 'whole_ms'>

/** A period of an edge or of what becomes of a column. */
export type Claim = Pick<EdgeRow, 'job' | 'how' | 'started_ms' | 'ended_ms' | 'seen_ms' | 'runs' | 'who'>

/** How long something held, and who says so. */
export function lastingOf(
  claims: readonly Claim[],
  jobs: ReadonlyMap<string, SpeakingJob>
): Pick<Edge, 'startedAt' | 'lastSeenAt' | 'endedAt' | 'provenance'> {
  const provenance = claims.map((claim) => provenanceOf(claim, jobs.get(jobName(claim))))
  return {
    startedAt: earliest(provenance.map(({ startedAt }) => startedAt)),
    lastSeenAt: latest(provenance.map(({ lastSeenAt }) => lastSeenAt)),
    endedAt: endOf(provenance),
    provenance
  }
}

/** The jobs that know edges, by their names. */
export const jobsOn = (reader: GraphReader, edges: readonly ClaimedEdge[]): Promise<Map<string, JobRow>> =>
  readJobs(
    reader,
    edges.flatMap(({ claims }) => claims)
  )

/** The jobs of claims, by their names. */
export async function readJobs(
  reader: GraphReader,
  claims: readonly Pick<Claim, 'job'>[]
): Promise<Map<string, JobRow>> {
  const keys = [...new Set(claims.map(({ job }) => job))].filter((key) => key !== '')
  const found = new Map<string, JobRow>()
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    const some = keys.slice(from, from + KEYS_AT_ONCE)
    const query = reader.db
      .selectFrom('lineage_jobs')
      .selectAll()
      .where(isOneOf(reader, sql.ref('job'), some))
    for (const row of await query.execute()) found.set(jobName(row), row)
  }
  return found
}

/** While something lasts, every whole run of its job has named it since it began. */
function provenanceOf(claim: Claim, job: SpeakingJob | undefined): Edge['provenance'][number] {
  const seenMs = claim.seen_ms ?? Math.max(claim.started_ms, job?.whole_ms ?? 0)
  return {
    how: claim.how,
    who: claim.who ?? job?.who ?? '',
    startedAt: toIso(claim.started_ms),
    lastSeenAt: toIso(seenMs),
    endedAt: claim.ended_ms === null ? null : toIso(claim.ended_ms),
    runs: claim.ended_ms === null ? (job?.whole_runs ?? 0) - claim.runs : claim.runs
  }
}

const earliest = (times: readonly string[]): string => times.toSorted()[0] as string
const latest = (times: readonly string[]): string => times.toSorted().at(-1) as string

/** It has ended when nobody says any more that it lasts. */
function endOf(provenance: Edge['provenance']): string | null {
  const ends = provenance.map(({ endedAt }) => endedAt)
  return ends.some((end) => end === null) ? null : latest(ends as string[])
}
