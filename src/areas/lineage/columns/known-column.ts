import { sql } from 'kysely'
import { nearestName } from '../../../data/nearest-name.ts'
import { Problem } from '../../../errors.ts'
import { readNodes } from '../graph/details.ts'
import type { GraphReader } from '../graph/reader.ts'
import { type DatedFacts, undated } from '../nodes/facts.ts'
import { nodeKey } from '../references.ts'

/** Names that one is compared with which is not among them. */
const MAX_COMPARED = 1000

/**
 * Refuses a column that data does not have, where its columns are known: that nothing comes of it would be true, and not what
 * was asked. One that it had once, so that somebody told what became of it, can be asked about.
 */
export async function requireColumn(reader: GraphReader, reference: string, column: string): Promise<void> {
  const key = nodeKey(reference)
  const row = (await readNodes(reader, [key])).get(key)
  const { columns = [] } = undated(JSON.parse(row?.facts ?? '{}') as DatedFacts)
  if (columns.length === 0 || columns.some(({ name }) => name === column)) return
  if (await isMapped(reader, key, column)) return
  const names = columns.slice(0, MAX_COMPARED).map(({ name }) => name)
  const nearest = nearestName(column, names)
  const meant = nearest === undefined ? 'GET /api/lineage/nodes/:id tells which it has.' : `"${nearest}" is one.`
  throw new Problem('not_found', { detail: `${reference} has no column "${column}". ${meant}` })
}

/** Whether anybody has ever told where the column comes from, or what becomes of it. */
async function isMapped({ db }: GraphReader, node: string, column: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 where exists (select 1 from lineage_mappings where from_node = ${node} and from_column = ${column})
      or exists (select 1 from lineage_mappings where to_node = ${node} and to_column = ${column})`.execute(db)
  return rows.length > 0
}
