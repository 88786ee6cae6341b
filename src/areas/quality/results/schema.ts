import { MAX_REFERENCE_CHARS } from '../../../data/reference.ts'
import { ListQuery, Page } from '../../../http/paging.ts'
import { Closed, Id, Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { MAX_TIME_CHARS, TIME_FORM } from '../../../http/times.ts'
import { type Static, type TSchema, Type } from '../../../http/type.ts'
import { METHODS } from '../drift/compare.ts'
import { Anomaly, Dataset, Expected } from '../rules/schema.ts'
import { CAUSES, DIMENSIONS, SEVERITIES, STATUSES, UNITS } from '../words.ts'

const Row = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
  description: 'A row, by the names of its columns; what is confidential is masked, and long texts are cut'
})

const RowsQuery = Nullable(
  Type.Object(
    {
      sql: Type.String(),
      relations: Type.Unsafe<Readonly<Record<string, string>>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Data references, by the names that the SQL has for them'
      })
    },
    {
      description:
        'Finds all rows that are wrong: a schedule with the target `sql` writes them into an object. Null where no row is to blame'
    }
  )
)

const Shown = Type.Unsafe<number | string>({ type: ['number', 'string'], description: 'A number, or a time' })
const Change = { before: Type.Number({ description: 'In the baseline' }), now: Type.Number({ description: 'Now' }) }
const ShownChange = { before: Shown, now: Shown }

/** A list that nobody changes. */
const List = <S extends TSchema>(items: S, options: { description?: string } = {}) =>
  Type.Unsafe<readonly Static<S>[]>(Type.Array(items, options))

const Drift = Nullable(
  Type.Object(
    {
      baselineId: Id('qb', 'baseline'),
      method: OneOf(METHODS, 'How they were compared'),
      pValue: Type.Number({
        description: 'How likely chance alone makes such a difference; from 0.01 on nothing fails or warns'
      }),
      rows: Type.Object(Change, { description: 'Rows with a value' }),
      nulls: Type.Object(Change, { description: 'Percent of rows without one' }),
      mean: Nullable(Type.Object(ShownChange)),
      quantiles: List(Type.Object({ rank: Type.Number(), ...ShownChange })),
      moved: List(Type.Object({ what: Type.String({ description: 'Values from and to, or a value' }), ...Change }), {
        description: 'Percent of the rows where the shares have changed most, 10 at most'
      }),
      newValues: List(Type.String(), { description: 'Categories that the baseline does not have, 5 at most' })
    },
    {
      description:
        'Of `distribution`: what has moved since the baseline; null for those who may not read the data. Where the column is confidential, values are not named'
    }
  )
)

export const Result = Type.Object(
  {
    id: Id('qres', 'result'),
    ruleId: Id('qr', 'rule'),
    ruleName: Type.String({ description: 'What the rule was called then' }),
    evaluationId: Id('qev', 'evaluation, the same for all results that it had'),
    cause: OneOf(CAUSES, 'What brought the evaluation about'),
    dataset: Type.String({ description: 'The data that it is about' }),
    status: OneOf(
      STATUSES,
      '`error`: it could not be found out; `notEvaluated`: there was nothing to ask. Neither says that the data are wrong'
    ),
    severity: OneOf(SEVERITIES, 'Of the rule, then'),
    dimension: OneOf(DIMENSIONS, 'Of the rule, then'),
    measured: Nullable(
      Type.Number({
        description: 'What was found, in `unit`; null where nothing was, or where it tells a value that may not be seen'
      })
    ),
    threshold: Nullable(Type.Number({ description: 'What it was compared with' })),
    unit: OneOf(UNITS, 'Of `measured` and `threshold`'),
    rowsChecked: Type.Integer({ minimum: 0, description: 'Rows that the rule was asked of' }),
    rowsFailed: Type.Integer({ minimum: 0, description: 'Of these, the rows that are wrong' }),
    sample: Type.Array(Row, {
      description: 'Some of the rows that are wrong, 20 at most; none for those who may not read the data'
    }),
    failingRowsQuery: RowsQuery,
    reason: Nullable(
      Type.Object(
        { code: Type.String({ description: 'Stable, for programs' }), message: Type.String() },
        { description: 'Why it was not evaluated, what went wrong, or what differs; null where the numbers say it all' }
      )
    ),
    drift: Drift,
    expected: Nullable(Expected),
    anomaly: Anomaly,
    elapsedMs: Type.Integer({
      minimum: 0,
      description: 'Of the statement that answered it, which others may have shared'
    }),
    evaluatedAt: Timestamp('When')
  },
  { $id: 'QualityResult' }
)
export type Result = Static<typeof Result>

const Time = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TIME_CHARS, description: `${description}: ${TIME_FORM}` }))

export const ResultQuery = ListQuery(
  ['evaluatedAt'],
  {
    ruleId: Type.Optional(Type.String({ maxLength: 64, description: 'Of this rule' })),
    evaluationId: Type.Optional(Type.String({ maxLength: 64, description: 'Of this evaluation' })),
    dataset: Type.Optional(Type.String({ maxLength: MAX_REFERENCE_CHARS, description: 'Of exactly this dataset' })),
    status: Type.Optional(OneOf(STATUSES, 'With this status')),
    from: Time('Not before'),
    to: Time('Before')
  },
  '-evaluatedAt'
)
export type ResultQuery = Static<typeof ResultQuery>
export const ResultPage = Page('results', Result)

export const Evaluate = Closed(
  {
    dataset: Dataset,
    ruleIds: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: 500,
        uniqueItems: true,
        description: 'Only these rules of the dataset, also those that are disabled; all that are enabled if not said'
      })
    )
  },
  { $id: 'QualityEvaluate' }
)
export type Evaluate = Static<typeof Evaluate>

export const Evaluation = Type.Object(
  {
    id: Id('qev', 'evaluation'),
    dataset: Type.String({ description: 'The data that were looked at' }),
    results: Type.Array(Result, { description: 'Of each rule' }),
    elapsedMs: Type.Integer({ minimum: 0, description: 'Of the whole of it' })
  },
  { $id: 'QualityEvaluation' }
)
export type Evaluation = Static<typeof Evaluation>
