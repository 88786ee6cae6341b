import type { Db } from '../../../engines/metadata/index.ts'
import { readDefinition } from './definition.ts'
import { quotesData } from './view.ts'

/**
 * The data that rules may quote, in their values, bounds, forms and conditions. Whoever learns which records keep such a rule
 * learns what it says: so to use it takes the clearance that reading these data does.
 */
export async function dataQuotedBy(db: Db, ruleIds: readonly string[]): Promise<string[]> {
  if (ruleIds.length === 0) return []
  const rows = await db
    .selectFrom('quality_rules')
    .select(['dataset', 'definition'])
    .where('id', 'in', [...ruleIds])
    .execute()
  const quoting = rows.filter((row) => quotesData(readDefinition(row).config))
  return [...new Set(quoting.map(({ dataset }) => dataset))]
}
