import { sql } from 'kysely'
import { slices } from '../../../engines/metadata/index.ts'
import { heldAt } from '../graph/edge-reader.ts'
import { joinedWith } from '../graph/joined.ts'
import type { GraphReader } from '../graph/reader.ts'
import type { EdgeRow, MappingRow } from '../migrations.ts'

/** Two moments, the first before the second. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

export type Change = 'added' | 'ended'

/** What may differ: the table of its periods, and what makes two of them periods of the same. */
export interface FactKind<R extends EdgeRow | MappingRow> {
  readonly table: 'lineage_edges' | 'lineage_mappings'
  readonly key: readonly (keyof R & string)[]
  /** The order of the indexes on times, after the time. */
  readonly order: readonly (keyof R & string)[]
}

export const EDGES: FactKind<EdgeRow> = {
  table: 'lineage_edges',
  key: ['from_node', 'to_node'],
  order: ['from_node', 'to_node', 'how']
}

export const MAPPINGS: FactKind<MappingRow> = {
  table: 'lineage_mappings',
  key: ['from_node', 'from_column', 'to_node', 'to_column', 'kind', 'job'],
  order: ['job', 'how', 'from_node', 'from_column', 'to_node', 'to_column', 'kind']
}

type Row = EdgeRow | MappingRow

const valuesOf = <R extends Row>(row: R, columns: readonly (keyof R & string)[]): string[] =>
  columns.map((column) => String(row[column]))

const keyOf = <R extends Row>(kind: FactKind<R>, row: R): string => JSON.stringify(valuesOf(row, kind.key))

const isHeld = ({ started_ms, ended_ms }: Row, atMs: number): boolean =>
  started_ms <= atMs && (ended_ms === null || ended_ms > atMs)

/** When the change happened of which the row tells. */
const timeOf = (row: Row, change: Change): number => (change === 'added' ? row.started_ms : (row.ended_ms as number))

/**
 * Of some periods that began or ended in a span, what began or ended by it: what somebody else said all the time has not.
 * Each is told once, by the first of its periods, with everybody who said so.
 */
export async function changesAmong<R extends Row>(
  reader: GraphReader,
  kind: FactKind<R>,
  change: Change,
  rows: readonly R[],
  { fromMs, toMs }: Span
): Promise<{ row: R; claims: R[] }[]> {
  const [withoutMs, withMs] = change === 'added' ? [fromMs, toMs] : [toMs, fromMs]
  const periods = await periodsOf(reader, kind, rows, [fromMs, toMs])
  return rows.flatMap((row) => {
    const all = periods.get(keyOf(kind, row)) ?? []
    const claims = all.filter((one) => isHeld(one, withMs))
    if (all.some((one) => isHeld(one, withoutMs))) return []
    const first = claims.toSorted((a, b) => timeOf(a, change) - timeOf(b, change) || (a.how < b.how ? -1 : 1))[0]
    return first !== undefined && first.how === row.how && first.started_ms === row.started_ms ? [{ row, claims }] : []
  })
}

/** All periods of the same as these that hold at one of two times, by their keys. */
async function periodsOf<R extends Row>(
  reader: GraphReader,
  kind: FactKind<R>,
  rows: readonly R[],
  [fromMs, toMs]: readonly [number, number]
): Promise<Map<string, R[]>> {
  const keys = [...new Map(rows.map((row) => [keyOf(kind, row), valuesOf(row, kind.key)])).values()]
  const found: R[] = []
  for (const some of slices(keys)) {
    const query = sql<R>`
      select ${sql.table(kind.table)}.* from ${joinedWith(reader, kind.table, kind.key, some)}
      where (${heldAt(fromMs)}) or (${heldAt(toMs)})`
    found.push(...(await query.execute(reader.db)).rows)
  }
  return Map.groupBy(found, (row) => keyOf(kind, row))
}

/** Where the reading of a list goes on: the time and the rest of the order of the last row. */
export type RowPlace = readonly [ms: number, ...order: string[]]

export const placeOf = <R extends Row>(kind: FactKind<R>, change: Change, row: R): RowPlace => [
  timeOf(row, change),
  ...valuesOf(row, kind.order)
]

/** Periods that began in the span and hold at its end, or held at its beginning and ended in it; by the indexes on times. */
export async function candidates<R extends Row>(
  { db }: GraphReader,
  kind: FactKind<R>,
  change: Change,
  { fromMs, toMs }: Span,
  after: RowPlace | undefined,
  limit: number
): Promise<R[]> {
  const time = sql.ref(change === 'added' ? 'started_ms' : 'ended_ms')
  const order = sql.join([time, ...kind.order.map((column) => sql.ref(column))])
  const isCandidate = change === 'added' ? sql`(ended_ms is null or ended_ms > ${toMs})` : sql`started_ms <= ${fromMs}`
  const isAfter =
    after === undefined ? sql`` : sql`and ${time} >= ${after[0]} and (${order}) > (${sql.join([...after])})`
  const { rows } = await sql<R>`
    select * from ${sql.table(kind.table)}
    where ${time} > ${fromMs} and ${time} <= ${toMs} and ${isCandidate} ${isAfter}
    order by ${order} limit ${limit}`.execute(db)
  return rows
}
