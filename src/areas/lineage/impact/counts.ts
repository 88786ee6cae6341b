import { sql } from 'kysely'
import { slices } from '../../../engines/metadata/index.ts'
import { isOneOf } from '../graph/edge-reader.ts'
import type { GraphReader } from '../graph/reader.ts'
import type { Reached } from './reach.ts'
import type { Impact } from './schema.ts'

/** SQLite answers in this process, where nobody else is served meanwhile; a server answers some at the same time. */
const KEYS_AT_ONCE: Readonly<Record<GraphReader['dialect'], number>> = { sqlite: 2000, postgres: 10_000 }
const STATEMENTS_AT_ONCE: Readonly<Record<GraphReader['dialect'], number>> = { sqlite: 1, postgres: 3 }

/** How many there are at each distance, by their kinds. */
export async function countsOf(reader: GraphReader, nodes: readonly Reached[]): Promise<Impact['byDistance']> {
  const counts: Impact['byDistance'] = []
  for (const [distance, some] of Map.groupBy(nodes, (node) => node.distance)) {
    const keys = some.map(({ key }) => key)
    counts.push({ distance, nodes: some.length, byKind: await kindsAmong(reader, keys) })
  }
  return counts
}

async function kindsAmong(reader: GraphReader, keys: readonly string[]): Promise<Record<string, number>> {
  const byKind: Record<string, number> = {}
  const add = (kind: string, nodes: number) => {
    byKind[kind] = (byKind[kind] ?? 0) + nodes
  }
  const wanted = new Set(keys)
  for (const { row } of reader.unstored ?? []) if (wanted.delete(row.key)) add(row.kind, 1)
  // In order, so that each statement reads another part of the index.
  const pieces = [...slices([...wanted].sort(), KEYS_AT_ONCE[reader.dialect])]
  for (const some of slices(pieces, STATEMENTS_AT_ONCE[reader.dialect])) {
    const found = await Promise.all(some.map((piece) => countedKinds(reader, piece)))
    for (const { kind, nodes } of found.flat()) add(kind, nodes)
  }
  return byKind
}

async function countedKinds(
  reader: GraphReader,
  keys: readonly string[]
): Promise<readonly { kind: string; nodes: number }[]> {
  const { rows } = await sql<{ kind: string; nodes: number }>`
    select kind, count(*) as nodes from lineage_nodes
    where ${isOneOf(reader, sql.ref('key'), keys)} group by kind`.execute(reader.db)
  return rows
}
