import { type RawBuilder, sql } from 'kysely'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { EdgeRow } from '../migrations.ts'
import { type GraphReader, unstoredEdges } from './reader.ts'

export type Direction = 'upstream' | 'downstream'

/** An edge with everybody who says so, at the time that is asked about. */
export interface ClaimedEdge {
  readonly from: string
  readonly to: string
  readonly claims: readonly EdgeRow[]
}

/** Whether it is there because of names alone: nobody says that anything went along it. */
export const isOverlap = ({ claims }: ClaimedEdge): boolean => claims.every(({ type }) => type === 'overlaps')

/** Only of an edge that no job knows anybody says so: who it is does not stand in the index that has the rest. */
export const WHO: RawBuilder<unknown> = sql`case when job = '' then (
  select told.who from lineage_edges as told where told.from_node = lineage_edges.from_node
    and told.to_node = lineage_edges.to_node and told.how = lineage_edges.how and told.started_ms = lineage_edges.started_ms
) end`

const EDGE_COLUMNS = sql`from_node, to_node, how, started_ms, ended_ms, job, type, seen_ms, runs, ${WHO} as who`

const KEYS_AT_ONCE = 500
const ROWS_AT_ONCE = 5000

/**
 * One of the values, which have no spaces, in as many statements as there are databases and not as there are numbers of values.
 * PostgreSQL is not shown them before it has a plan: it would hold each against its statistics, which takes longer than to
 * find them, and of many it would rather read the whole table. A list of texts takes the driver much longer to write than one.
 */
export function isOneOf(
  { dialect }: Pick<Metadata, 'dialect'>,
  column: RawBuilder<unknown>,
  values: readonly string[]
): RawBuilder<boolean> {
  return dialect === 'sqlite'
    ? sql<boolean>`${column} in (select value from json_each(${JSON.stringify(values)}))`
    : sql<boolean>`${column} = any((select string_to_array(${values.join(' ')}, ' '))::text[])`
}

/** What held at a time, of nodes that are named beside it: with the plus, databases go by those and not by the times. */
export const heldAt = (atMs: number): RawBuilder<boolean> =>
  sql<boolean>`+started_ms <= ${atMs} and (+ended_ms is null or +ended_ms > ${atMs})`

/** What holds now, likewise. */
export const HOLDS_NOW: RawBuilder<boolean> = sql<boolean>`+ended_ms is null`

/** The edges that leave the nodes in a direction, in pieces, ordered by their ends; the nodes have to be in order themselves. */
export async function* edgesOf(
  reader: GraphReader,
  nodes: readonly string[],
  direction: Direction,
  atMs: number
): AsyncGenerator<ClaimedEdge[]> {
  const unstored = unstoredEdges(reader, nodes, direction === 'downstream' ? 'from_node' : 'to_node')
  if (unstored.length > 0) yield unstored.map((row) => edgeOf([row]))
  for (let from = 0; from < nodes.length; from += KEYS_AT_ONCE) {
    let left: readonly EdgeRow[] = []
    for await (const rows of pagesOf(reader, nodes.slice(from, from + KEYS_AT_ONCE), direction, atMs)) {
      const edges = [...grouped([...left, ...rows])]
      // Of the last one there may be more in the next page.
      left = edges.pop()?.claims ?? []
      yield edges
    }
    yield [...grouped(left)]
  }
}

async function* pagesOf(
  reader: GraphReader,
  nodes: readonly string[],
  direction: Direction,
  atMs: number
): AsyncGenerator<EdgeRow[]> {
  const [near, far] = direction === 'downstream' ? ['from_node', 'to_node'] : ['to_node', 'from_node']
  const [nearColumn, farColumn] = [sql.ref(near as string), sql.ref(far as string)]
  const place = sql`(${nearColumn}, ${farColumn}, how, started_ms)`
  let after: EdgeRow | undefined
  for (;;) {
    const isAfter =
      after === undefined
        ? sql``
        : sql`and ${place} > (${after[near as 'from_node']}, ${after[far as 'to_node']}, ${after.how}, ${after.started_ms})`
    const { rows } = await sql<EdgeRow>`
      select ${EDGE_COLUMNS} from lineage_edges
      where ${isOneOf(reader, nearColumn, nodes)} and ${heldAt(atMs)} ${isAfter}
      order by ${nearColumn}, ${farColumn}, how, started_ms limit ${ROWS_AT_ONCE}`.execute(reader.db)
    yield rows
    if (rows.length < ROWS_AT_ONCE) return
    after = rows.at(-1)
  }
}

/** Rows in the order of their ends, put together by these. */
export function* grouped(rows: Iterable<EdgeRow>): Generator<ClaimedEdge> {
  let claims: EdgeRow[] = []
  for (const row of rows) {
    const [first] = claims
    if (first !== undefined && (first.from_node !== row.from_node || first.to_node !== row.to_node)) {
      yield edgeOf(claims)
      claims = []
    }
    claims.push(row)
  }
  if (claims.length > 0) yield edgeOf(claims)
}

const edgeOf = (claims: EdgeRow[]): ClaimedEdge => ({
  from: claims[0]?.from_node as string,
  to: claims[0]?.to_node as string,
  claims
})
