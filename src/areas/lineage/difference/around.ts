import { sql } from 'kysely'
import { slices } from '../../../engines/metadata/index.ts'
import { type Directions, stepsAround } from '../graph/around.ts'
import { heldAt, isOneOf } from '../graph/edge-reader.ts'
import type { GraphReader } from '../graph/reader.ts'
import type { EdgeRow, MappingRow } from '../migrations.ts'
import type { Found } from './everywhere.ts'
import { type Change, changesAmong, EDGES, MAPPINGS, type Span } from './facts.ts'

/** Edges and mappings of the graph around a node at one time that are looked at. */
const MAX_EDGES = 100_000
const MAX_MAPPINGS = 100_000

export interface Centre {
  readonly root: string
  readonly direction: Directions
  readonly depth: number
}

/** What began or ended in a span in the graphs around a node, at the end of the span and at its beginning. */
export async function aroundRoot(
  reader: GraphReader,
  centre: Centre,
  span: Span,
  hasTime: () => boolean
): Promise<{ all: Found[]; cutBy: 'edges' | 'columns' | 'time' | null }> {
  const all: Found[] = []
  let cutBy: 'edges' | 'columns' | 'time' | null = null
  const columns: Found[] = []
  for (const change of ['added', 'ended'] as const) {
    const graph = await changedAround(reader, centre, change, span, hasTime)
    for (const some of slices(graph.edges)) {
      const found = await changesAmong(reader, EDGES, change, some, span)
      all.push(...found.map(({ claims }): Found => ({ part: `${change} edges`, claims })))
    }
    const mappings = await mappingsWithin(reader, graph.nodes, change, span)
    for (const some of slices(mappings.rows)) {
      const found = await changesAmong(reader, MAPPINGS, change, some, span)
      columns.push(...found.map(({ claims }): Found => ({ part: `${change} columns`, claims })))
    }
    cutBy ??= graph.cutBy ?? (mappings.isCut ? 'columns' : null)
  }
  return { all: [...all, ...columns], cutBy }
}

/** The nodes around the root at the time when what changed held, and the edges that began or ended. */
async function changedAround(reader: GraphReader, centre: Centre, change: Change, span: Span, hasTime: () => boolean) {
  const atMs = change === 'added' ? span.toMs : span.fromMs
  const nodes = new Set<string>()
  const edges: EdgeRow[] = []
  let seen = 0
  for await (const some of stepsAround(reader, { ...centre, atMs })) {
    for (const step of some) {
      if (step.node !== undefined) nodes.add(step.node)
      else {
        edges.push(...step.edge.claims.filter((claim) => isChanged(claim, change, span)))
        if (++seen >= MAX_EDGES || !hasTime()) return { nodes, edges, cutBy: hasTime() ? 'edges' : 'time' } as const
      }
    }
  }
  return { nodes, edges, cutBy: null }
}

const isChanged = ({ started_ms, ended_ms }: EdgeRow, change: Change, { fromMs, toMs }: Span): boolean =>
  change === 'added' ? started_ms > fromMs : ended_ms !== null && ended_ms <= toMs

async function mappingsWithin(reader: GraphReader, nodes: ReadonlySet<string>, change: Change, { fromMs, toMs }: Span) {
  const rows: MappingRow[] = []
  const isWanted =
    change === 'added'
      ? sql`${heldAt(toMs)} and started_ms > ${fromMs}`
      : sql`${heldAt(fromMs)} and ended_ms <= ${toMs}`
  for (const some of slices([...nodes])) {
    const { rows: found } = await sql<MappingRow>`
      select * from lineage_mappings where ${isOneOf(reader, sql.ref('to_node'), some)} and ${isWanted}
      order by to_node, to_column, from_node, from_column, kind, job, how limit ${MAX_MAPPINGS - rows.length + 1}`.execute(
      reader.db
    )
    rows.push(...found)
    if (rows.length > MAX_MAPPINGS) return { rows: within(rows.slice(0, MAX_MAPPINGS), nodes), isCut: true }
  }
  return { rows: within(rows, nodes), isCut: false }
}

const within = (rows: readonly MappingRow[], nodes: ReadonlySet<string>): MappingRow[] =>
  rows.filter(({ from_node, job }) => nodes.has(from_node) && (job === '' || nodes.has(job)))
