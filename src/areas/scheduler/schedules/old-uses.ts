import type { Kysely } from 'kysely'
import { parseReference } from '../../../data/reference.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { Resource } from '../../../http/in-use.ts'
import type { ScheduleRow } from '../migrations.ts'
import { saveUses } from './uses.ts'

const AT_ONCE = 100

type Row = Pick<ScheduleRow, 'id' | 'target_type' | 'target_id' | 'target_config'>

/** Writes down what schedules use that were made before that was kept. */
export async function findOldUses(database: Kysely<unknown>): Promise<void> {
  const db = database as Db
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('schedules')
      .select(['id', 'target_type', 'target_id', 'target_config'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
    for (const row of rows) await saveUses(db, row.id, oldUses(row))
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)?.id ?? after
  }
}

const OWNERS: Readonly<Record<string, Resource['type']>> = {
  object: 'bucket',
  series: 'catalog-source',
  pipeline: 'pipeline'
}

interface OldConfig {
  readonly relations?: Readonly<Record<string, string>>
  readonly into?: { readonly sourceId?: string; readonly bucket?: string }
}

/** As the targets were then, whose areas are not there while the database is brought up to date. */
function oldUses({ target_type, target_id, target_config }: Row): Resource[] {
  const { relations = {}, into = {} } = JSON.parse(target_config) as OldConfig
  if (target_type === 'pipeline') return named('pipeline', target_id)
  if (target_type === 'downsample') return [target_id, into.sourceId].flatMap((id) => named('catalog-source', id))
  if (target_type !== 'sql') return []
  const read = Object.values(relations).flatMap((text) => {
    const reference = parseReference(text)
    return 'problem' in reference ? [] : named(OWNERS[reference.scheme], reference.owner)
  })
  return [...read, ...named('bucket', into.bucket)]
}

function named(type: Resource['type'] | undefined, id: string | null | undefined): Resource[] {
  return type === undefined || id === null || id === undefined ? [] : [{ type, id }]
}
