import { sql } from 'kysely'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { slices } from '../claims/store.ts'
import { Arrivals } from '../graph/arrivals.ts'
import { heldAt } from '../graph/edge-reader.ts'
import { joinedWith } from '../graph/joined.ts'
import type { NodeKind } from '../references.ts'

export interface Reached {
  readonly key: string
  readonly kind: NodeKind
  readonly distance: number
}

/** What is reached from a node, the nearest first; and what made the walk end before everything was. */
export interface Reach {
  readonly nodes: readonly Reached[]
  readonly cutBy: 'nodes' | 'time' | null
}

export interface Budget {
  readonly maxNodes: number
  hasTime(): boolean
}

const KEYS_AT_ONCE = 1000
const ROWS_AT_ONCE = 5000

/** A node at the other end of an edge. */
export interface End {
  /** The node at this end. */
  readonly from: string
  readonly key: string
  readonly kind: NodeKind
  /** Whether the two have some data in common, by their names. */
  readonly isPart: boolean
}

/** Everything downstream of a node. It reads keys and kinds only, so that much is looked at in little time. */
export async function reachOf(
  metadata: Metadata,
  { root, depth, atMs }: { readonly root: string; readonly depth: number; readonly atMs: number },
  budget: Budget
): Promise<Reach> {
  const arrivals = new Arrivals()
  arrivals.meet(root, false)
  const nodes: Reached[] = []
  let border = new Map([[root, 'new']])
  for (let distance = 1; distance <= depth && border.size > 0; distance++) {
    const next = new Map<string, 'new' | 'again'>()
    const keys = [...border.keys()].sort()
    const withParts = new Set(keys.filter((key) => arrivals.leave(key)))
    for await (const ends of endsOf(metadata, keys, atMs)) {
      for (const { from, key, kind, isPart } of ends) {
        if (isPart ? !withParts.has(from) : border.get(from) === 'again') continue
        const met = arrivals.meet(key, isPart)
        if (met === 'known') continue
        next.set(key, met)
        if (met === 'again') continue
        if (nodes.length >= budget.maxNodes) return { nodes, cutBy: 'nodes' }
        nodes.push({ key, kind, distance })
      }
      if (!budget.hasTime()) return { nodes, cutBy: 'time' }
    }
    border = next
  }
  return { nodes, cutBy: null }
}

/** The nodes that edges lead to from these, which have to be in order, in pieces. */
export async function* endsOf(metadata: Metadata, nodes: readonly string[], atMs: number): AsyncGenerator<End[]> {
  for (const some of slices(nodes, KEYS_AT_ONCE)) {
    let after: { from: string; key: string } | undefined
    for (;;) {
      const rows = await endsAfter(metadata, some, atMs, after)
      yield rows
      if (rows.length < ROWS_AT_ONCE) break
      after = rows.at(-1)
    }
  }
}

/** What reads is a job, whose row need not be looked at. */
async function endsAfter(
  metadata: Metadata,
  nodes: readonly string[],
  atMs: number,
  after: { from: string; key: string } | undefined
) {
  const keys = nodes.filter((node) => after === undefined || node >= after.from).map((node) => [node])
  const isAfter = after === undefined ? sql`` : sql`and (from_node, to_node) > (${after.from}, ${after.key})`
  const { rows } = await sql<Omit<End, 'isPart'> & { parts: number }>`
    select from_node as "from", to_node as key, coalesce(max(kind), 'job') as kind,
      min(case when type = 'overlaps' then 1 else 0 end) as parts
    from ${joinedWith(metadata, 'lineage_edges', ['from_node'], keys)}
    left join lineage_nodes on type <> 'reads' and lineage_nodes.key = to_node
    where ${heldAt(atMs)} ${isAfter} group by from_node, to_node
    order by from_node, to_node limit ${ROWS_AT_ONCE}`.execute(metadata.db)
  return rows.map(({ parts, ...end }): End => ({ ...end, isPart: parts === 1 }))
}
