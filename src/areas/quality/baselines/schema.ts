import { MAX_REFERENCE_CHARS } from '../../../data/reference.ts'
import { ListQuery, Page } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Closed, Id, Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { SHAPE_KINDS } from '../drift/shape.ts'
import { Dataset } from '../rules/schema.ts'

const MAX_SQL_CHARS = 20_000

const Column = Type.String({ minLength: 1, maxLength: 200, description: 'The column' })
const Where = Type.String({
  minLength: 1,
  maxLength: MAX_SQL_CHARS,
  description: 'A condition in SQL; other rows are left out'
})
const Count = (description: string) => Type.Integer({ minimum: 0, description })
const NullableShown = (description: string) =>
  Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'], description })

export const Baseline = Type.Object(
  {
    id: Id('qb', 'baseline'),
    dataset: Type.String({ description: 'The data that it was made of' }),
    column: Type.String({ description: 'The column' }),
    where: Nullable(Type.String({ description: 'The condition for the rows that it was made of; null for all' })),
    kind: OneOf(SHAPE_KINDS, 'What the column was: numbers and times have an order, categories have none'),
    ruleId: Nullable(
      Type.String({ description: 'The rule that has made it for itself; null where somebody has asked for it' })
    ),
    rows: Count('Rows that had a value'),
    shape: Nullable(
      Type.Object(
        {
          nulls: Count('Rows without a value'),
          notNumbers: Count('Values that are no numbers (NaN)'),
          mean: NullableShown('Of numbers and times that are finite; null for categories'),
          resolution: Type.Number({
            description:
              'By how much a Kolmogorov–Smirnov distance may be too small: the largest share of rows between two bounds'
          }),
          cells: Type.Array(
            Type.Object({
              upTo: NullableShown(
                'Of numbers and times, the greatest value that belongs to it; of categories, the value'
              ),
              rows: Count('Rows in it')
            }),
            { description: 'The last one, with `upTo` null, has all that is in no other' }
          )
        },
        { description: 'Null for confidential columns, and for those who may not read the data' }
      )
    ),
    isConfidential: Type.Boolean({ description: 'Whether the column was confidential: it is sealed then' }),
    createdAt: Timestamp('When it was made')
  },
  { $id: 'QualityBaseline' }
)
export type Baseline = Static<typeof Baseline>

export const BaselineCreate = Closed(
  { dataset: Dataset, column: Column, where: Type.Optional(Where) },
  { $id: 'QualityBaselineCreate' }
)
export type BaselineCreate = Static<typeof BaselineCreate>

export const BaselineQuery = ListQuery(
  ['createdAt'],
  {
    dataset: Type.Optional(Type.String({ maxLength: MAX_REFERENCE_CHARS, description: 'Of exactly this dataset' })),
    column: Type.Optional(Type.String({ maxLength: 200, description: 'Of this column, as the data spell it' })),
    ruleId: Type.Optional(Type.String({ maxLength: 64, description: 'That this rule has made for itself' }))
  },
  '-createdAt'
)
export type BaselineQuery = Static<typeof BaselineQuery>
export const BaselinePage = Page('baselines', Baseline)

export const BaselineParams = Params('quality-baseline', 'id', { id: Type.String({ maxLength: 64 }) })
