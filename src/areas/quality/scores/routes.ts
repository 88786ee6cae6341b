import { type Route, read } from '../../../http/route.ts'
import { ScorePage, ScoreQuery } from './schema.ts'
import type { Scores } from './service.ts'

export function scoreRoutes(scores: Scores): Route[] {
  return [
    read(
      {
        path: '/quality/scores',
        operationId: 'listQualityScores',
        summary: 'List what datasets are worth, what moved that, and what all of them are worth together',
        description:
          'With `from` or `to` there is a history: of the dataset that `dataset` names, or else of all datasets together.',
        permission: 'quality:read',
        query: ScoreQuery,
        answer: ScorePage
      },
      ({ query }) => scores.list(query)
    )
  ]
}
