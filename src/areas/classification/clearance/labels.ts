import type { DataReference } from '../../../data/reference.ts'
import type { Db, Tables } from '../../../engines/metadata/index.ts'
import type { WithoutClearance } from '../migrations.ts'

/** A level that some data have, as a whole or in some columns. */
export interface Label {
  /** As it was classified: a data reference, or `<type>:<id>`. */
  readonly resource: string
  readonly level: string
  /** The higher, the stricter. */
  readonly rank: number
  readonly withoutClearance: WithoutClearance
  /** None: the whole resource. */
  readonly columns: readonly string[]
}

/** Whatever labels follow from; whoever keeps them has to look again when one of these has changed. */
export const LABEL_TABLES = [
  'classification_resources',
  'classification_inherited',
  'classification_levels',
  'classification_clearances'
] as const satisfies (keyof Tables)[]

/** The nouns that areas and people classify an owner of data by, beside its reference. */
const NOUNS: Partial<Record<DataReference['scheme'], readonly string[]>> = {
  object: ['bucket'],
  series: ['catalog-source', 'source'],
  pipeline: ['pipeline']
}

/** The character after the slash: all references to what an owner has lie between the two. */
const AFTER_SLASH = '0'

/** All labels of a bucket, source or other owner and of whatever it has, given and inherited, the strictest first. */
export async function readLabels(
  db: Db,
  { scheme, owner }: Pick<DataReference, 'scheme' | 'owner'>,
  limit: number
): Promise<Label[]> {
  const labels = [
    ...(await givenLabels(db, { scheme, owner }, limit)),
    ...(await inheritedLabels(db, `${scheme}://${owner}`, limit))
  ]
  return labels.sort((a, b) => b.rank - a.rank).slice(0, limit)
}

async function givenLabels(
  db: Db,
  { scheme, owner }: Pick<DataReference, 'scheme' | 'owner'>,
  limit: number
): Promise<Label[]> {
  const own = `${scheme}://${owner}`
  const names = [own, ...(NOUNS[scheme] ?? []).map((noun) => `${noun}:${owner}`)]
  const rows = await db
    .selectFrom('classification_resources')
    .innerJoin('classification_levels', 'classification_levels.name', 'classification_resources.level')
    .select(['resource', 'level', 'columns', 'rank', 'without_clearance'])
    .where(({ or, and, eb }) =>
      or([
        eb('resource', 'in', names),
        and([eb('resource', '>=', `${own}/`), eb('resource', '<', `${own}${AFTER_SLASH}`)])
      ])
    )
    .orderBy('rank', 'desc')
    .orderBy('classification_resources.id')
    .limit(limit)
    .execute()
  return rows.map(({ resource, level, columns, rank, without_clearance: withoutClearance }) => {
    return { resource, level, rank: Number(rank), withoutClearance, columns: JSON.parse(columns) as string[] }
  })
}

/**
 * What data have because of where they come from. What a pattern or a whole has because of its parts, and these because of it, is left
 * out: those who ask look for labels of parts and wholes themselves, and for other parts those do not count.
 */
async function inheritedLabels(db: Db, own: string, limit: number): Promise<Label[]> {
  const rows = await db
    .selectFrom('classification_inherited')
    .innerJoin('classification_levels', 'classification_levels.name', 'classification_inherited.level')
    .select(['resource', 'level', 'column_name', 'rank', 'without_clearance'])
    .where('is_part', '=', 0)
    .where(({ or, and, eb }) =>
      or([
        eb('resource', '=', own),
        and([eb('resource', '>=', `${own}/`), eb('resource', '<', `${own}${AFTER_SLASH}`)])
      ])
    )
    .orderBy('rank', 'desc')
    .orderBy('key')
    .limit(limit)
    .execute()
  return rows.map(({ resource, level, column_name, rank, without_clearance: withoutClearance }) => {
    return { resource, level, rank: Number(rank), withoutClearance, columns: column_name === '' ? [] : [column_name] }
  })
}
