import { type Db, slices } from '../../../engines/metadata/index.ts'

/** A level that data has because of where it comes from. */
export interface InheritedLevel {
  readonly resource: string
  /** Empty for all of the data. */
  readonly column: string
  readonly level: string
}

/**
 * What some data inherit, by their references, or all that is in one place: `{ within: 'object://bucket', limit: 1000 }`. There
 * a pattern is one of the resources, and its level is that of all that it names. Where more rows come than the limit, there
 * are more than were read.
 */
export async function readInherited(
  db: Db,
  asked: readonly string[] | { readonly within: string; readonly limit: number }
): Promise<InheritedLevel[]> {
  const shown = db
    .selectFrom('classification_inherited')
    .select(['resource', 'column_name as column', 'level'])
    .where('is_shown', '=', 1)
    .orderBy('resource')
    .orderBy('key')
  if ('within' in asked) {
    const { within, limit } = asked
    return shown
      .limit(limit + 1)
      .where(({ or, and, eb }) =>
        or([eb('resource', '=', within), and([eb('resource', '>=', `${within}/`), eb('resource', '<', `${within}0`)])])
      )
      .execute()
  }
  const found: InheritedLevel[] = []
  for (const some of slices(asked)) found.push(...(await shown.where('resource', 'in', some).execute()))
  return found
}
