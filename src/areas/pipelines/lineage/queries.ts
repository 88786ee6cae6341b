import type { SourceColumn, StatementLineage } from '../../../engines/sql-lineage/index.ts'
import { isNode } from '../../lineage/index.ts'
import type { NodeType, PipelineNode, SourceStatement } from '../contract/node-type.ts'
import type { FromColumn, Ways } from '../contract/ways.ts'
import type { Station } from './compose.ts'

/** Reads a statement of another database, which is not run. */
export type ReadQuery = (statement: SourceStatement) => Promise<StatementLineage>

/** What the statement of a source says. */
export interface QueryRead {
  readonly read: StatementLineage
  /** The tables that it reads, with their references. */
  readonly tables: ReadonlyMap<string, string>
}

/** What the statements of sources say, by source; those that name no table that is known say nothing. */
export async function queriesOf(
  order: readonly PipelineNode[],
  types: ReadonlyMap<string, NodeType>,
  readQuery: ReadQuery
): Promise<Map<string, QueryRead>> {
  const queries = new Map<string, QueryRead>()
  for (const node of order) {
    const type = types.get(node.id)
    const statement = type?.role === 'source' ? type.statement?.(node.config as never) : undefined
    if (statement === undefined) continue
    const read = await readQuery(statement)
    const named = read.reads.map((table) => [table, statement.referenceOf(table)] as const)
    const tables = new Map(named.filter(([, reference]) => isNode(reference)))
    if (tables.size > 0) queries.set(node.id, { read, tables })
  }
  return queries
}

/** A table of a source is a source of its own, called by the source and its place: no node has a name with this character. */
export const tableStations = (id: string, { tables }: QueryRead) =>
  [...tables].map(([table, reference], place) => ({ station: `${id}\0${place}`, table, reference }))

/** The tables of a statement, and what it makes of them. What is not understood may come from each of them. */
export function queryStations(id: string, query: QueryRead, columns: readonly string[]): Station[] {
  const { read } = query
  const all = tableStations(id, query)
  const placeOf = new Map(all.map(({ table }, place) => [table, place]))
  const from = ({ table, column, kind }: SourceColumn): FromColumn[] => {
    const input = placeOf.get(table)
    return input === undefined ? [] : [{ input, column, kind }]
  }
  // Columns are known by their places: a database makes up names for those that have none.
  const isPlaced = read.outputs.length === columns.length
  const isAll = isPlaced && read.notUnderstood.length === 0
  const any = (kind: 'computed' | 'filtered'): FromColumn[] =>
    isAll ? [] : all.map((_, input) => ({ input, column: null, kind }))
  const ways: Ways = {
    columns: columns.map((name, place) => ({
      name,
      from: [...(isPlaced ? (read.outputs[place]?.from ?? []).flatMap(from) : []), ...any('computed')]
    })),
    rows: [...read.rows.flatMap(from), ...any('filtered')]
  }
  const named = Map.groupBy([...read.rows, ...read.outputs.flatMap((output) => output.from)], ({ table }) => table)
  const sources = all.map(({ station, table }): Station => {
    const used = new Set(named.get(table)?.map(({ column }) => column))
    return { id: station, role: 'source', columns: [...used], areMade: false }
  })
  return [...sources, { id, role: 'transform', inputs: all.map(({ station }) => station), ways }]
}
