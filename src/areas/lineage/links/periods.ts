import type { Db } from '../../../engines/metadata/index.ts'
import { deleteRows, type FactRow, insertRows } from '../claims/fact-rows.ts'
import type { EdgeRow, LinkRow, MappingRow } from '../migrations.ts'
import type { Link } from './schema.ts'

type Ends = Pick<LinkRow, 'from_node' | 'to_node'>
type Column = Link['columns'][number]

const lasting = (startedMs: number, who: string) => ({
  started_ms: startedMs,
  ended_ms: null,
  seen_ms: null,
  runs: 0,
  who
})

/** What a link says of columns, each once. */
const distinct = (columns: readonly Column[]): Column[] => [
  ...new Map(columns.map((column) => [nameOf(column), column])).values()
]
const nameOf = ({ from, to, kind }: Column): string => JSON.stringify([from ?? '', to ?? '', kind])

const mappingOf = ({ from_node, to_node }: Ends, { from, to, kind }: Column, timeMs: number, who: string) =>
  ({
    job: '',
    how: 'manual',
    from_node,
    from_column: from ?? '',
    to_node,
    to_column: to ?? '',
    kind,
    ...lasting(timeMs, who)
  }) satisfies MappingRow

/** Writes that a link holds from now on. No job has it, so nothing that a job tells ends it. */
export async function begin(
  tx: Db,
  { from_node, to_node }: Ends,
  type: EdgeRow['type'],
  columns: readonly Column[],
  timeMs: number,
  who: string
): Promise<void> {
  const edge: EdgeRow = { from_node, to_node, how: 'manual', job: '', type, ...lasting(timeMs, who) }
  await insertRows(tx, [edge, ...distinct(columns).map((one) => mappingOf(edge, one, timeMs, who))])
}

/** Mappings that are no longer named end, and those that are new begin. */
export async function change(
  tx: Db,
  ends: Ends,
  columns: readonly Column[],
  timeMs: number,
  who: string
): Promise<void> {
  const present = await mappingsOf(tx, ends)
  const wanted = new Map(distinct(columns).map((column) => [nameOf(column), column]))
  const over = present.filter(
    ({ from_column, to_column, kind }) => !wanted.delete(JSON.stringify([from_column, to_column, kind]))
  )
  await endRows(tx, over, timeMs)
  await insertRows(
    tx,
    [...wanted.values()].map((column) => mappingOf(ends, column, timeMs, who))
  )
}

export async function end(tx: Db, ends: Ends, timeMs: number): Promise<void> {
  const edges = await tx
    .selectFrom('lineage_edges')
    .selectAll()
    .where('from_node', '=', ends.from_node)
    .where('to_node', '=', ends.to_node)
    .where('how', '=', 'manual')
    .where('job', '=', '')
    .where('ended_ms', 'is', null)
    .execute()
  await endRows(tx, [...edges, ...(await mappingsOf(tx, ends))], timeMs)
}

const mappingsOf = (tx: Db, { from_node, to_node }: Ends): Promise<MappingRow[]> =>
  tx
    .selectFrom('lineage_mappings')
    .selectAll()
    .where('job', '=', '')
    .where('how', '=', 'manual')
    .where('from_node', '=', from_node)
    .where('to_node', '=', to_node)
    .where('ended_ms', 'is', null)
    .execute()

/** What began at the same time has never been. */
async function endRows(tx: Db, rows: readonly FactRow[], timeMs: number): Promise<void> {
  await deleteRows(tx, rows)
  const been = rows.filter(({ started_ms }) => started_ms < timeMs)
  await insertRows(
    tx,
    been.map((row) => ({ ...row, ended_ms: timeMs, seen_ms: timeMs }))
  )
}
