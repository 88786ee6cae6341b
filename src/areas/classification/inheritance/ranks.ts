import type { Db } from '../../../engines/metadata/index.ts'
import type { Ranks } from './rule.ts'

/** How strict each level is. There are no more than ranks, of which no two share one. */
export async function readRanks(db: Db): Promise<Ranks> {
  const rows = await db.selectFrom('classification_levels').select(['name', 'rank']).execute()
  return new Map(rows.map(({ name, rank }) => [name, Number(rank)]))
}
