import { MAX_REFERENCE_CHARS } from '../../../data/reference.ts'
import { ListQuery, Page, Search } from '../../../http/paging.ts'
import { Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { MAX_TIME_CHARS, TIME_FORM } from '../../../http/times.ts'
import { type Static, Type } from '../../../http/type.ts'
import { DIMENSIONS, STATUSES } from '../words.ts'

const Points = (description: string) => Nullable(Type.Number({ minimum: 0, maximum: 100, description }))
const Count = (description: string) => Type.Integer({ minimum: 0, description })

const Coverage = (words: string) => Points(`In percent, how many of the rules ${words}`)

const Moved = Type.Array(
  Type.Object({
    ruleId: Type.String(),
    ruleName: Type.String({ description: 'What it was called then' }),
    from: Nullable(OneOf(STATUSES, 'What it had come to before; null where it had not been evaluated')),
    to: Nullable(OneOf(STATUSES, 'What it came to'))
  }),
  { description: 'The rules that moved it, 20 at most; none where rules were changed or deleted' }
)

const History = Nullable(
  Type.Array(
    Type.Object({
      at: Timestamp('Since when'),
      score: Points('What it was from then on; null where nothing was known'),
      moved: Type.Optional(Moved)
    }),
    {
      description:
        'With `from` or `to`: every time that it moved, the oldest first, and what it was at the beginning; the last 1,000'
    }
  )
)

const Dimensions = Type.Array(
  Type.Object({
    dimension: OneOf(DIMENSIONS, 'The kind of quality'),
    score: Points('The mean of its rules, weighted by severity; null where none could be evaluated'),
    rules: Count('Rules about it')
  })
)

export const Score = Type.Object(
  {
    dataset: Type.String({ description: 'The data' }),
    score: Points(
      'From 0 to 100: the mean of its rules, a rule that passed counting 100, one that warned 50 and one that failed 0, weighted by severity (info 1, warning 2, error 4, critical 8). Rules with the status error or notEvaluated are left out. Null where none is left'
    ),
    coverage: Coverage('it stands on: the others have the status error or notEvaluated, or were never evaluated'),
    dimensions: Dimensions,
    rules: Type.Object({
      passed: Count('Rules that passed'),
      warned: Count('Rules that warned'),
      failed: Count('Rules that failed'),
      error: Count('Rules that could not be evaluated'),
      notEvaluated: Count('Rules that there was nothing to ask of'),
      pending: Count('Rules that were never evaluated')
    }),
    since: Timestamp('Since when it is so'),
    moved: Moved,
    history: History
  },
  { $id: 'QualityScore' }
)
export type Score = Static<typeof Score>

const Overall = Type.Object({
  score: Points('The mean of the scores of all datasets, each counting the same; null where none has one'),
  coverage: Coverage('of all datasets the scores stand on; null where there is none'),
  datasets: Count('Datasets that have a score'),
  history: History
})

const Time = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TIME_CHARS, description: `${description}: ${TIME_FORM}` }))

export const ScoreQuery = ListQuery(['dataset'], {
  q: Search,
  dataset: Type.Optional(
    Type.String({ maxLength: MAX_REFERENCE_CHARS, description: 'Of exactly this dataset, whose history it then is' })
  ),
  from: Time('The history from then on'),
  to: Time('The history until then')
})
export type ScoreQuery = Static<typeof ScoreQuery>

export const ScorePage = Type.Object(
  { overall: Overall, ...Page('scores', Score).properties },
  { $id: 'QualityScorePage' }
)
export type ScorePage = Static<typeof ScorePage>
