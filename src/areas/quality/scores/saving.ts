import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { ScoreRow } from '../migrations.ts'
import type { Status } from '../words.ts'
import { type DatasetScore, scoreOf } from './score.ts'

/** A rule that came to something else than before. */
export interface Move {
  readonly ruleId: string
  readonly ruleName: string
  readonly from: Status | null
  readonly to: Status | null
}

export interface ScoreFacts extends Omit<DatasetScore, 'score'> {
  readonly moved: readonly Move[]
}

const MAX_MOVES = 20

interface Needs {
  readonly clock: Clock
  readonly makeId: MakeId
}

/** Writes what a dataset is worth now, where that is not what was written last. */
export async function saveScore(
  tx: Db,
  { clock, makeId }: Needs,
  dataset: string,
  moves: readonly Move[]
): Promise<void> {
  const rules = await tx
    .selectFrom('quality_rules')
    .select(['status', 'severity', 'dimension'])
    .where('dataset', '=', dataset)
    .where('enabled', '=', 1)
    .orderBy('id')
    .forUpdate()
    .execute()
  const { score, ...rest } = scoreOf(rules)
  const newest = await tx
    .selectFrom('quality_scores')
    .selectAll()
    .where('dataset', '=', dataset)
    .where('is_newest', '=', 1)
    .executeTakeFirst()
  if (newest !== undefined && moves.length === 0 && rules.length > 0 && isSame(newest, score, rest)) return
  await tx
    .updateTable('quality_scores')
    .set({ is_newest: 0 })
    .where('dataset', '=', dataset)
    .where('is_newest', '=', 1)
    .execute()
  if (newest === undefined && rules.length === 0) return
  const facts: ScoreFacts = { ...rest, moved: moves.slice(0, MAX_MOVES) }
  const row: ScoreRow = {
    id: makeId('qs'),
    dataset,
    score: score === null ? null : Math.round(score * 100),
    facts: JSON.stringify(facts),
    at: clock.iso(),
    // Where no rule is left, the row says only that the score has ended.
    is_newest: rules.length === 0 ? 0 : 1
  }
  await tx.insertInto('quality_scores').values(row).execute()
}

function isSame(newest: ScoreRow, score: number | null, { dimensions, rules }: Omit<DatasetScore, 'score'>): boolean {
  const before = JSON.parse(newest.facts) as ScoreFacts
  const known = JSON.stringify([newest.score, before.dimensions, before.rules])
  return known === JSON.stringify([score === null ? null : Math.round(score * 100), dimensions, rules])
}
