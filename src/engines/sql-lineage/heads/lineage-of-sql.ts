import { analysed } from '../analysis/statement.ts'
import { DUCKDB, lineageOf, queryOf } from '../duckdb/lineage-of.ts'
import { GivenUp } from '../effort.ts'
import { type KnownTables, nothingKnown, type StatementLineage } from '../lineage.ts'
import { folded, joined } from '../names.ts'
import type { JoinSource, Query, Source, WrittenPart } from '../query.ts'
import type { HeadPart } from './head.ts'
import { readHead } from './read-head.ts'

/**
 * Gives the trees of SELECT statements, in their order, as DuckDB's `json_serialize_sql` makes them. Whoever has a DuckDB at
 * hand does that: the host of a pipeline, the process for SQL of users; the main thread of the server has none.
 */
export type ParseSelects = (statements: readonly string[]) => Promise<readonly unknown[]>

/** The lineage of a statement of DuckDB's SQL, be it a query or one that writes. */
export async function lineageOfSql(sql: string, known: KnownTables, parse: ParseSelects): Promise<StatementLineage> {
  try {
    const head = readHead(sql, (target) => columnsOf(known, joined(target)))
    if (head === null) return lineageOf((await parse([sql]))[0], known)
    const trees = await parse(head.parts.map((part) => part.sql))
    const parts = head.parts.map((part, place) => partOf(part, trees[place]))
    return analysed({ kind: 'write', target: head.target, parts }, known, DUCKDB)
  } catch (error) {
    if (error instanceof GivenUp) return nothingKnown(error.message)
    throw error
  }
}

function columnsOf(known: KnownTables, table: string): readonly string[] | null {
  const name = Object.keys(known).find((one) => folded(one) === folded(table))
  return name === undefined ? null : (known[name] ?? null)
}

function partOf({ readsTarget, columns }: HeadPart, tree: unknown): WrittenPart {
  const query = queryOf(tree)
  const { body } = query
  if (body.kind !== 'select' || !readsTarget) return { query, columns: columns ?? 'by name' }
  const from = body.from && withTarget(body.from)
  const items = columns === null ? [] : body.items
  const marked: Query = { ...query, body: { ...body, from, items } }
  return { query: marked, columns: columns ?? 'by name' }
}

/** Tells the first table of FROM from others: it is there because it is written. */
function withTarget(last: Source): Source {
  const joins: JoinSource[] = []
  let source: Source = last
  for (; source.kind === 'join'; source = source.left) joins.push(source)
  const first: Source = source.kind === 'table' ? { ...source, isTarget: true } : source
  return joins.reduceRight<Source>((left, join) => ({ ...join, left }), first)
}
