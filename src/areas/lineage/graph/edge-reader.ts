import { type RawBuilder, sql } from 'kysely'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { EdgeRow } from '../migrations.ts'

export type Direction = 'upstream' | 'downstream'

/** An edge with everybody who says so, at the time that is asked about. */
export interface ClaimedEdge {
  readonly from: string
  readonly to: string
  readonly claims: readonly EdgeRow[]
}

/** Whether it is there because of names alone: nobody says that anything went along it. */
export const isOverlap = ({ claims }: ClaimedEdge): boolean => claims.every(({ type }) => type === 'overlaps')

const KEYS_AT_ONCE = 500
const ROWS_AT_ONCE = 5000

/** One of the values, in as many statements as there are databases and not as there are numbers of values. */
export function isOneOf(
  { dialect }: Pick<Metadata, 'dialect'>,
  column: RawBuilder<unknown>,
  values: readonly string[]
): RawBuilder<boolean> {
  return dialect === 'sqlite'
    ? sql<boolean>`${column} in (select value from json_each(${JSON.stringify(values)}))`
    : sql<boolean>`${column} = any(${values}::text[])`
}

/** What held at a time. */
export const heldAt = (atMs: number): RawBuilder<boolean> =>
  sql<boolean>`started_ms <= ${atMs} and (ended_ms is null or ended_ms > ${atMs})`

/** The edges that leave the nodes in a direction, ordered by their ends; the nodes have to be in order themselves. */
export async function* edgesOf(
  metadata: Metadata,
  nodes: readonly string[],
  direction: Direction,
  atMs: number
): AsyncGenerator<ClaimedEdge> {
  for (let from = 0; from < nodes.length; from += KEYS_AT_ONCE) {
    yield* grouped(rowsOf(metadata, nodes.slice(from, from + KEYS_AT_ONCE), direction, atMs))
  }
}

async function* rowsOf(
  metadata: Metadata,
  nodes: readonly string[],
  direction: Direction,
  atMs: number
): AsyncGenerator<EdgeRow> {
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
      select from_node, to_node, how, started_ms, ended_ms, job, type, seen_ms, runs, who from lineage_edges
      where ${isOneOf(metadata, nearColumn, nodes)} and ${heldAt(atMs)} ${isAfter}
      order by ${nearColumn}, ${farColumn}, how, started_ms limit ${ROWS_AT_ONCE}`.execute(metadata.db)
    yield* rows
    if (rows.length < ROWS_AT_ONCE) return
    after = rows.at(-1)
  }
}

async function* grouped(rows: AsyncIterable<EdgeRow>): AsyncGenerator<ClaimedEdge> {
  let claims: EdgeRow[] = []
  for await (const row of rows) {
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
