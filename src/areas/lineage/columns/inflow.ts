import { type Db, slices } from '../../../engines/metadata/index.ts'
import { HOLDS_NOW } from '../graph/edge-reader.ts'
import { COUNTS, edgesInto, isName, type Period } from './counted.ts'
import { ofOneRun } from './one-run.ts'
import { type Named, type Silent, silentParts } from './silent.ts'

/**
 * That values of data come, or have come, into other data. An empty column is all of the data. Along `same`, `renamed` and `overlaps`,
 * which lead between names, each column comes into the one of its name.
 */
export interface Inflow {
  /** Keys of nodes. */
  readonly from: string
  readonly fromColumn: string
  readonly to: string
  readonly toColumn: string
  readonly kind: InflowKind
  /** The key of the job; empty where none is between the two. */
  readonly job: string
}

/** `unmapped`: by a job, or a link, of which no columns are known. */
export type InflowKind = 'identity' | 'computed' | 'unmapped' | 'same' | 'renamed' | 'overlaps'

/**
 * All that comes into some data, as far as values are carried: not what was masked, and not what only decides which rows
 * there are. While any columns of the data are known by a job, that job brings nothing else into it; of what the platform has
 * seen a job do, only where it has seen the columns too, for anybody may tell of columns.
 */
export async function inflowsInto(db: Db, nodes: readonly string[]): Promise<Inflow[]> {
  const found: Inflow[] = []
  for (const some of slices(nodes)) {
    found.push(...(await mappedInto(db, some)))
    const told = await toldOf(db, some)
    const edges = await edgesInto(db, some)
    for (const { from, to, type } of edges) {
      if (isName(type)) found.push({ from, fromColumn: '', to, toColumn: '', kind: type, job: '' })
      if (type === 'links' && !told.ofLinks.has(`${from} ${to}`)) found.push(unmapped(from, to, ''))
    }
    const silent = edges.flatMap((edge) => (edge.type === 'writes' ? silentParts(edge, toldOfWrite(told, edge)) : []))
    found.push(...(await silentFlows(db, silent)))
  }
  return found
}

/** What comes into data by jobs that tell no columns: all that they have read in a run that wrote it. */
async function silentFlows(db: Db, written: readonly Silent[]): Promise<Inflow[]> {
  const flows = new Map<string, Inflow>()
  const writes = Map.groupBy(written, ({ write }) => write.from)
  for (const jobs of slices([...writes.keys()])) {
    const pairs = (await edgesInto(db, jobs)).flatMap((read) =>
      (writes.get(read.to) ?? []).map((silent) => ({ read, ...silent }))
    )
    for (const { read, write } of await ofOneRun(db, pairs)) {
      flows.set(`${read.from} ${read.to} ${write.to}`, unmapped(read.from, write.to, read.to))
    }
  }
  return [...flows.values()]
}

const unmapped = (from: string, to: string, job: string): Inflow => ({
  from,
  fromColumn: '',
  to,
  toColumn: '',
  kind: 'unmapped',
  job
})

async function mappedInto(db: Db, nodes: readonly string[]): Promise<Inflow[]> {
  const rows = await db
    .selectFrom('lineage_mappings')
    .select(['from_node', 'from_column', 'to_node', 'to_column', 'kind', 'job'])
    .distinct()
    .where('to_node', 'in', nodes)
    .where('kind', 'in', ['identity', 'computed'])
    .where(COUNTS)
    .execute()
  return rows.map((row) => ({
    from: row.from_node,
    fromColumn: row.from_column,
    to: row.to_node,
    toColumn: row.to_column,
    kind: row.kind as 'identity' | 'computed',
    job: row.job
  }))
}

const toldOfWrite = ({ ofJobs }: Told, { from, to, how }: Period): readonly Named[] =>
  ofJobs.get(how === 'captured' ? `captured ${from} ${to}` : `${from} ${to}`) ?? []

const pairsOf = (how: string, job: string, data: string): string[] =>
  how === 'captured' ? [`${job} ${data}`, `captured ${job} ${data}`] : [`${job} ${data}`]

/** When anybody told of columns: by `job data`, and by `captured job data` where the platform did; and the links that have some now. */
interface Told {
  readonly ofJobs: ReadonlyMap<string, readonly Named[]>
  readonly ofLinks: ReadonlySet<string>
}

async function toldOf(db: Db, nodes: readonly string[]): Promise<Told> {
  const ofJobs = await db
    .selectFrom('lineage_mappings')
    .select(['job', 'to_node', 'how', 'started_ms as startedMs', 'ended_ms as endedMs', 'seen_ms as seenMs'])
    .distinct()
    .where('to_node', 'in', nodes)
    .where('job', '!=', '')
    .execute()
  const ofLinks = await db
    .selectFrom('lineage_mappings')
    .select(['from_node', 'to_node'])
    .distinct()
    .where('to_node', 'in', nodes)
    .where('job', '=', '')
    .where(HOLDS_NOW)
    .execute()
  const told = new Map<string, Named[]>()
  for (const one of ofJobs) {
    for (const pair of pairsOf(one.how, one.job, one.to_node)) told.getOrInsertComputed(pair, () => []).push(one)
  }
  return { ofJobs: told, ofLinks: new Set(ofLinks.map(({ from_node, to_node }) => `${from_node} ${to_node}`)) }
}
