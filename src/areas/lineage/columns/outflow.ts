import { type Db, slices } from '../../../engines/metadata/index.ts'
import { areTogether, COUNTS, edgesFrom, edgesInto, type Period } from './counted.ts'

/** The keys of data into which something of the given data, or of the given jobs, may have come. */
export async function outflowsOf(db: Db, nodes: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of slices(nodes)) {
    const edges = await edgesFrom(db, some)
    for (const { to, type } of edges) if (type !== 'reads') found.add(to)
    for (const to of await writtenFrom(
      db,
      edges.filter(({ type }) => type === 'reads')
    ))
      found.add(to)
    for (const { to } of await mapped(db, 'from_node', some)) found.add(to)
  }
  return found
}

/** What jobs have written while they read this. */
async function writtenFrom(db: Db, reads: readonly Period[]): Promise<Set<string>> {
  const found = new Set<string>()
  const byJob = Map.groupBy(reads, ({ to }) => to)
  for (const jobs of slices([...byJob.keys()])) {
    for (const write of await edgesFrom(db, jobs)) {
      if (byJob.get(write.from)?.some((read) => areTogether(read, write))) found.add(write.to)
    }
  }
  return found
}

/** Those among some data that matter to whoever asks. */
type Among = (keys: readonly string[]) => Promise<ReadonlySet<string>>

/**
 * Of some data, and of what some jobs have written, the keys of those that matter themselves, or into which something that
 * does may have come in one step: by a name, a link or a job. It takes few ways to the database for many nodes.
 */
export async function reachedOf(
  db: Db,
  { data, jobs }: { readonly data: readonly string[]; readonly jobs: readonly string[] },
  among: Among
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of slices(data)) {
    const edges = await edgesInto(db, some)
    const direct = [...edges.filter(({ type }) => type !== 'writes'), ...(await mapped(db, 'to_node', some))]
    const writes = edges.filter(({ type }) => type === 'writes')
    for (const key of await reachedBy(db, { nodes: some, direct, writes }, among)) found.add(key)
  }
  for (const some of slices(jobs)) {
    const writes = (await edgesFrom(db, some)).filter(({ type }) => type === 'writes')
    const nodes = [...new Set(writes.map(({ to }) => to))]
    for (const key of await reachedBy(db, { nodes, direct: [], writes }, among)) found.add(key)
  }
  return found
}

interface Reached {
  readonly nodes: readonly string[]
  /** What comes into them from other data. */
  readonly direct: readonly { readonly from: string; readonly to: string }[]
  readonly writes: readonly Period[]
}

async function reachedBy(db: Db, { nodes, direct, writes }: Reached, among: Among): Promise<string[]> {
  const byJob = Map.groupBy(writes, ({ from }) => from)
  const reads: Period[] = []
  for (const jobs of slices([...byJob.keys()])) {
    for (const read of await edgesInto(db, jobs)) {
      if (byJob.get(read.to)?.some((write) => areTogether(read, write))) reads.push(read)
    }
  }
  const matters = await among([...new Set([...nodes, ...[...direct, ...reads].map(({ from }) => from)])])
  return [
    ...nodes.filter((key) => matters.has(key)),
    ...direct.filter(({ from }) => matters.has(from)).map(({ to }) => to),
    ...reads
      .filter(({ from }) => matters.has(from))
      .flatMap((read) => (byJob.get(read.to) ?? []).filter((write) => areTogether(read, write)))
      .map(({ to }) => to)
  ]
}

async function mapped(
  db: Db,
  end: 'from_node' | 'to_node',
  nodes: readonly string[]
): Promise<{ from: string; to: string }[]> {
  return db
    .selectFrom('lineage_mappings')
    .select(['from_node as from', 'to_node as to'])
    .distinct()
    .where(end, 'in', nodes)
    .where('kind', 'in', ['identity', 'computed'])
    .where(COUNTS)
    .execute()
}
