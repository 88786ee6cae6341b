import { sql } from 'kysely'
import type { Db } from '../../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../../http/paging.ts'
import type { ScoreRow } from '../migrations.ts'
import type { Between } from '../results/store.ts'
import type { ScoreQuery } from './schema.ts'
import { type Counts, NO_RULES } from './score.ts'

const NAMES_AT_ONCE = 500

export function listScores(db: Db, query: ScoreQuery) {
  let select = db.selectFrom('quality_scores').selectAll().where('is_newest', '=', 1)
  if (query.q !== undefined) select = select.where(contains('dataset', query.q))
  if (query.dataset !== undefined) select = select.where('dataset', '=', query.dataset)
  return fetchPage(select, query, { sorts: { dataset: 'dataset' }, id: 'id' })
}

/** The mean of the newest scores, in ten-thousandths, and of how many. */
export async function overallScore(db: Db): Promise<{ score: number | null; datasets: number }> {
  const row = await db
    .selectFrom('quality_scores')
    .select((eb) => [eb.fn.sum<number | null>('score').as('sum'), eb.fn.count<number>('score').as('datasets')])
    .where('is_newest', '=', 1)
    .executeTakeFirstOrThrow()
  const datasets = Number(row.datasets)
  return { score: datasets === 0 ? null : Number(row.sum) / datasets, datasets }
}

/** The last moves between two times, the oldest first. */
export async function movesBetween(
  db: Db,
  dataset: string | undefined,
  { from, to }: Between,
  limit: number
): Promise<ScoreRow[]> {
  let select = db.selectFrom('quality_scores').selectAll()
  if (dataset !== undefined) select = select.where('dataset', '=', dataset)
  if (from !== undefined) select = select.where('at', '>', from)
  if (to !== undefined) select = select.where('at', '<', to)
  return (await select.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()).reverse()
}

/** What each dataset was worth at a time. Identifiers grow with time. */
export async function scoresAt(db: Db, at: string, dataset?: string): Promise<ScoreRow[]> {
  let last = db
    .selectFrom('quality_scores')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('at', '<=', at)
    .groupBy('dataset')
  if (dataset !== undefined) last = last.where('dataset', '=', dataset)
  return db.selectFrom('quality_scores').selectAll().where('id', 'in', last).execute()
}

/** The newest scores of some datasets. */
export async function newestScores(db: Db, datasets: readonly string[]): Promise<ScoreRow[]> {
  const found: ScoreRow[] = []
  for (let from = 0; from < datasets.length; from += NAMES_AT_ONCE) {
    const some = datasets.slice(from, from + NAMES_AT_ONCE)
    const select = db.selectFrom('quality_scores').selectAll().where('is_newest', '=', 1).where('dataset', 'in', some)
    found.push(...(await select.execute()))
  }
  return found
}

/** How many rules that are enabled have come to what. */
export async function countRulesByStatus(db: Db): Promise<Counts> {
  const state = sql<keyof Counts>`coalesce(status, 'pending')`
  const rows = await db
    .selectFrom('quality_rules')
    .select((eb) => [state.as('state'), eb.fn.countAll<number>().as('rules')])
    .where('enabled', '=', 1)
    .groupBy(state)
    .execute()
  return { ...NO_RULES, ...Object.fromEntries(rows.map(({ state, rules }) => [state, Number(rules)])) }
}
