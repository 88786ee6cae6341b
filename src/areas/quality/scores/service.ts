import type { Clock } from '../../../engines/clock.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { ScoreRow } from '../migrations.ts'
import type { Between } from '../results/store.ts'
import { timeOf } from '../times.ts'
import { overallHistory } from './history.ts'
import type { ScoreFacts } from './saving.ts'
import type { Score, ScorePage, ScoreQuery } from './schema.ts'
import { coverageOf } from './score.ts'
import * as store from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
}

const MAX_POINTS = 1000
/** Moves of all datasets that are looked at for the history of all together. */
const MAX_MOVES = 10_000

/** What is known of the quality of data, for those who ask about the data. */
export interface QualityOf {
  readonly score: number | null
  readonly failed: number
  readonly rules: number
}

export class Scores {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(query: ScoreQuery): Promise<ScorePage> {
    const { metadata, clock } = this.#needs
    const { db } = metadata
    const between = { from: timeOf('from', query.from, clock.now()), to: timeOf('to', query.to, clock.now()) }
    const isAsked = between.from !== undefined || between.to !== undefined
    const { rows, total, nextCursor } = await store.listScores(db, query)
    const { score, datasets } = await store.overallScore(db)
    const own = isAsked && query.dataset !== undefined ? await historyOf(db, query.dataset, between) : null
    const all = isAsked && query.dataset === undefined ? await historyOfAll(db, between) : null
    const coverage = coverageOf(await store.countRulesByStatus(db))
    return {
      overall: { score: score === null ? null : Math.round(score) / 100, coverage, datasets, history: all },
      scores: rows.map((row) => toScore(row, own)),
      total,
      nextCursor
    }
  }

  async qualityOf(db: Db, datasets: readonly string[]): Promise<Map<string, QualityOf>> {
    const rows = await store.newestScores(db, datasets)
    return new Map(
      rows.map((row) => {
        const { rules } = JSON.parse(row.facts) as ScoreFacts
        const all = Object.values(rules).reduce((sum, count) => sum + count, 0)
        return [row.dataset, { score: pointsOf(row), failed: rules.failed, rules: all }]
      })
    )
  }
}

const pointsOf = ({ score }: ScoreRow): number | null => (score === null ? null : score / 100)

function toScore(row: ScoreRow, history: Score['history']): Score {
  const { dimensions, rules, moved } = JSON.parse(row.facts) as ScoreFacts
  return {
    dataset: row.dataset,
    score: pointsOf(row),
    coverage: coverageOf(rules),
    dimensions: [...dimensions],
    rules,
    since: row.at,
    moved: [...moved],
    history
  }
}

async function historyOf(db: Db, dataset: string, between: Between): Promise<Score['history']> {
  const { from } = between
  const [start] = from === undefined ? [] : await store.scoresAt(db, from, dataset)
  const moves = await store.movesBetween(db, dataset, between, MAX_POINTS)
  return [
    ...(start === undefined || from === undefined ? [] : [{ at: from, score: pointsOf(start), moved: [] }]),
    ...moves.map((row) => ({
      at: row.at,
      score: pointsOf(row),
      moved: [...(JSON.parse(row.facts) as ScoreFacts).moved]
    }))
  ].slice(-MAX_POINTS)
}

async function historyOfAll(db: Db, between: Between): Promise<Score['history']> {
  const moves = await store.movesBetween(db, undefined, between, MAX_MOVES)
  // Where there are more, the history begins at the first of those that are looked at.
  const isCut = moves.length === MAX_MOVES
  const from = isCut ? moves[0]?.at : between.from
  const starts = from === undefined ? [] : await store.scoresAt(db, from)
  const point = (row: ScoreRow) => ({ dataset: row.dataset, at: row.at, score: pointsOf(row) })
  return overallHistory(from, starts.map(point), moves.map(point)).slice(-MAX_POINTS)
}
