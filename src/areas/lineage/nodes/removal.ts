import { sql } from 'kysely'
import type { Db } from '../../../engines/metadata/index.ts'
import { Problem } from '../../../errors.ts'
import { labelledAmong, markInto } from '../../classification/index.ts'
import { HOLDS_NOW } from '../graph/edge-reader.ts'
import type { NodeRow } from '../migrations.ts'

/** Links that are named to whoever has to end them first. */
const MAX_NAMED = 5

/**
 * Deletes a node that nobody has told of but people, with links that have ended: what a slip of the pen has left. The rest of
 * the past is not taken back.
 */
export async function removeNode(tx: Db, { key, reference }: NodeRow): Promise<void> {
  const links = await linksAt(tx, key)
  if (links.length > 0) {
    const named = links.slice(0, MAX_NAMED).map(({ id }) => id)
    const others = links.length > MAX_NAMED ? ' and others' : ''
    const detail = `Links by hand lead to it or from it: ${named.join(', ')}${others}. End them first, with DELETE /api/lineage/links/:id.`
    throw new Problem('in_use', { detail, members: { usedBy: links.map(({ id }) => ({ type: 'lineage-link', id })) } })
  }
  if (await isTold(tx, key)) {
    const detail =
      'Somebody has told of it: jobs that read or write it, other names of it, or runs. Only what people alone have drawn can be deleted; all else is forgotten LINEAGE_KEEP_DAYS after it has ended.'
    throw new Problem('in_use', { detail })
  }
  if ((await labelledAmong(tx, [reference])).size > 0) {
    const detail =
      'Somebody has given it a level, which goes where its data go. Take that back first, with DELETE /api/classification/resources/:id.'
    throw new Problem('in_use', { detail })
  }
  await markLeaving(tx, [key])
  for (const end of ['from_node', 'to_node'] as const) {
    for (const table of ['lineage_links', 'lineage_edges', 'lineage_mappings'] as const) {
      await tx.deleteFrom(table).where(end, '=', key).execute()
    }
  }
  await tx.deleteFrom('lineage_nodes').where('key', '=', key).execute()
}

/** Levels follow when nodes go: into them nothing comes any more, and nothing from them into others. */
export async function markLeaving(tx: Db, keys: readonly string[]): Promise<void> {
  const rows = await tx
    .selectFrom('lineage_edges')
    .select('to_node')
    .where('from_node', 'in', keys)
    .where(HOLDS_NOW)
    .execute()
  await markInto(tx, [...keys, ...rows.map(({ to_node }) => to_node)])
}

/** Links that hold. */
const linksAt = (tx: Db, key: string): Promise<{ id: string }[]> =>
  tx
    .selectFrom('lineage_links')
    .select('id')
    .where(({ or, eb }) => or([eb('from_node', '=', key), eb('to_node', '=', key)]))
    .where('ended_at', 'is', null)
    .orderBy('id')
    .limit(MAX_NAMED + 1)
    .execute()

/** Whether anybody else than people has ever told of it. What follows from names alone is told by nobody. */
async function isTold(tx: Db, key: string): Promise<boolean> {
  const byOthers = sql`(how <> 'manual' or job <> '') and type <> 'overlaps'`
  const { rows } = await sql`select 1 from lineage_nodes where key = ${key} and (
    exists (select 1 from lineage_edges where from_node = ${key} and ${byOthers})
    or exists (select 1 from lineage_edges where to_node = ${key} and ${byOthers})
    or exists (select 1 from lineage_jobs where job = ${key}))`.execute(tx)
  return rows.length > 0
}
