import { sql } from 'kysely'
import { heldAt, isOneOf } from '../graph/edge-reader.ts'
import { type GraphReader, unstoredEdges } from '../graph/reader.ts'
import type { EdgeType } from '../migrations.ts'

/** A node at the other end of an edge. */
export interface End {
  /** The node at this end. */
  readonly from: string
  readonly key: string
  /** Whether the two have some data in common, by their names. */
  readonly isPart: boolean
  /** Whether it is known to be a job, because it reads. */
  readonly isJob: boolean
}

const FIRST_KEYS = 16

interface Sizes {
  readonly maxKeys: number
  /** What a statement finds, if possible, and at most. */
  readonly goalRows: number
  readonly maxRows: number
}

/** SQLite answers in this process, where nobody else is served meanwhile; a server is asked less often, for more. */
const SIZES: Readonly<Record<GraphReader['dialect'], Sizes>> = {
  sqlite: { maxKeys: 1000, goalRows: 1000, maxRows: 4000 },
  postgres: { maxKeys: 5000, goalRows: 4000, maxRows: 16_000 }
}

/**
 * The nodes that edges lead to from these, which have to be in order, in pieces. How many nodes a statement asks about
 * follows from what the one before has found: some have no edge, others have ten thousand.
 */
export async function* endsOf(reader: GraphReader, nodes: readonly string[], atMs: number): AsyncGenerator<End[]> {
  yield unstoredEnds(reader, nodes)
  const { maxKeys, goalRows, maxRows } = SIZES[reader.dialect]
  const ask = (from: number, count: number) => {
    const some = nodes.slice(from, from + count)
    const ends = endsFrom(reader, some, atMs, maxRows)
    // Whoever has enough never waits for it.
    ends.catch(() => {})
    return { from, some, ends }
  }
  for (let asked = ask(0, FIRST_KEYS); asked.some.length > 0; ) {
    const { from, some } = asked
    const ends = await asked.ends
    if (ends === 'many' && some.length > 1) {
      asked = ask(from, Math.ceil(some.length / 4))
      continue
    }
    const found = ends === 'many' ? maxRows : Math.max(ends.length, 1)
    const count = Math.max(1, Math.min(maxKeys, Math.floor((some.length * goalRows) / found)))
    // A server looks for the next while these are worked on.
    asked = ask(from + some.length, count)
    if (ends === 'many') yield* endsOfOne(reader, some[0] as string, atMs)
    else yield ends
  }
}

function unstoredEnds(reader: GraphReader, nodes: readonly string[]): End[] {
  const edges = unstoredEdges(reader, nodes, 'from_node')
  return edges.map(({ from_node, to_node }) => ({ from: from_node, key: to_node, isPart: true, isJob: false }))
}

/** What edges of one type lead to from a node: in one row, because so many short ones take longer than to find them. */
interface Leads {
  readonly from: string
  readonly type: EdgeType
  /** Keys, with a space between two. */
  readonly keys: string
}

async function endsFrom(
  reader: GraphReader,
  nodes: readonly string[],
  atMs: number,
  maxRows: number
): Promise<End[] | 'many'> {
  if (nodes.length === 0) return []
  const { rows } = await sql<Leads>`
    select from_node as "from", type, string_agg(to_node, ' ') as keys
    from (select from_node, type, to_node from lineage_edges
      where ${isOneOf(reader, sql.ref('from_node'), nodes)} and ${heldAt(atMs)} limit ${maxRows + 1}) as found
    group by from_node, type`.execute(reader.db)
  const leads = rows.map(({ keys, ...lead }) => ({ ...lead, keys: keys.split(' ') }))
  if (leads.reduce((sum, { keys }) => sum + keys.length, 0) > maxRows) return 'many'
  const byNode = Map.groupBy(leads, ({ from }) => from)
  return nodes.flatMap((from) => inOrder(from, byNode.get(from) ?? []))
}

async function* endsOfOne(reader: GraphReader, node: string, atMs: number): AsyncGenerator<End[]> {
  const { goalRows } = SIZES[reader.dialect]
  for (let after = ''; ; ) {
    const { rows } = await sql<{ to_node: string; part: number; job: number }>`
      select to_node, min(case when type = 'overlaps' then 1 else 0 end) as part,
        max(case when type = 'reads' then 1 else 0 end) as job from lineage_edges
      where from_node = ${node} and to_node > ${after} and ${heldAt(atMs)}
      group by to_node order by to_node limit ${goalRows}`.execute(reader.db)
    yield rows.map(({ to_node, part, job }) => ({ from: node, key: to_node, isPart: part === 1, isJob: job === 1 }))
    if (rows.length < goalRows) return
    after = rows.at(-1)?.to_node as string
  }
}

/** By their ends, each once; two have more than data in common where anybody says so. */
function inOrder(from: string, leads: readonly { type: EdgeType; keys: string[] }[]): End[] {
  const ends = new Map<string, End>()
  // What is said of an end last counts.
  for (const { type, keys } of leads.toSorted((a, b) => RANKS[a.type] - RANKS[b.type])) {
    for (const key of keys) ends.set(key, { from, key, isPart: type === 'overlaps', isJob: type === 'reads' })
  }
  if (ends.size < 2) return [...ends.values()]
  return [...ends.keys()].sort().map((key) => ends.get(key) as End)
}

const RANKS: Readonly<Record<EdgeType, number>> = { overlaps: 0, same: 1, renamed: 1, links: 1, writes: 1, reads: 2 }
