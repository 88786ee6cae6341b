import type { Kysely } from 'kysely'
import type { Tables } from '../../../engines/metadata/index.ts'

const NODES_AT_ONCE = 500

/** That a node is deleted was once a time and whether it is; now it is the times in which it was. */
export async function toAbsences(db: Kysely<Tables>): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await db
      .selectFrom('lineage_nodes')
      .select(['key', 'facts'])
      .where('key', '>', after)
      .where('facts', 'like', '%"deleted":[%')
      .orderBy('key')
      .limit(NODES_AT_ONCE)
      .execute()
    if (rows.length === 0) return
    for (const { key, facts } of rows) {
      const { deleted, ...others } = JSON.parse(facts) as { deleted?: readonly unknown[] }
      // Whoever has written so into a description has deleted nothing.
      if (typeof deleted?.[0] !== 'number') continue
      const [ms, isGone] = deleted
      const now = isGone === true ? { ...others, deleted: [[ms, null]] } : others
      await db
        .updateTable('lineage_nodes')
        .set({ facts: JSON.stringify(now) })
        .where('key', '=', key)
        .execute()
    }
    after = rows.at(-1)?.key ?? ''
  }
}
