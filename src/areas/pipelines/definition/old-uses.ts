import type { Kysely } from 'kysely'
import type { Db } from '../../../engines/metadata/index.ts'
import { nodesOf } from '../store/versions.ts'
import { saveUses } from './uses.ts'

const AT_ONCE = 100

/** Writes down what pipelines use that were made before that was kept. */
export async function findOldUses(database: Kysely<unknown>): Promise<void> {
  const db = database as Db
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('pipelines')
      .innerJoin('pipeline_versions', (join) =>
        join
          .onRef('pipeline_versions.pipeline_id', '=', 'pipelines.id')
          .onRef('pipeline_versions.version', '=', 'pipelines.version')
      )
      .select(['pipelines.id', 'pipeline_versions.nodes'])
      .where('pipelines.id', '>', after)
      .orderBy('pipelines.id')
      .limit(AT_ONCE)
      .execute()
    for (const row of rows) await saveUses(db, row.id, nodesOf(row))
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)?.id ?? after
  }
}
