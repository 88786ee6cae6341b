import { Closed, Nullable } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { Dataset, RuleCreate } from '../rules/schema.ts'
import { LOOKS } from './looks.ts'

const MAX_COLUMNS = 1000
const MAX_SQL_CHARS = 20_000

export const ProfileOrder = Closed(
  {
    dataset: Dataset,
    columns: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: MAX_COLUMNS,
        uniqueItems: true,
        description: 'Only these columns; all if not said, of which there may be 1,000'
      })
    ),
    where: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_SQL_CHARS,
        description:
          'A condition in SQL: other rows are not looked at. It may not be about columns that are confidential'
      })
    ),
    sample: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 100,
        description: 'Percent of the rows that are looked at, chosen at random; all if not said'
      })
    ),
    suggest: Type.Optional(
      Type.Boolean({ description: 'Whether rules are suggested too, which takes another look at the data' })
    )
  },
  { $id: 'QualityProfileOrder' }
)
export type ProfileOrder = Static<typeof ProfileOrder>

const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** Numbers that a double can't hold are texts, times are ISO 8601. */
const Value = (description: string) =>
  Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'], description })

const Distinct = Nullable(
  Type.Object(
    {
      count: Count('How many'),
      exact: Type.Boolean({
        description: 'Where it is false it is an estimate, with a standard error of 13 %'
      })
    },
    { description: 'Values that differ; null where that can’t be told of the type' }
  )
)

const Lengths = Nullable(
  Type.Object(
    { min: Count('The shortest'), max: Count('The longest'), mean: Type.Number({ description: 'The mean' }) },
    { description: 'Of texts, how many characters (code points) they have' }
  )
)

const Drawn = Nullable(
  Type.Object(
    {
      values: Count('How many values were drawn; those that are null are not among them'),
      exact: Type.Boolean({ description: 'Whether all values were drawn' }),
      error: Type.Number({
        description:
          'By how much a part of the values, or the rank of a quantile, may be off at most, as a part of 1: 1.36 / √values, which holds in 95 of 100 cases; 0 where all values were drawn'
      })
    },
    {
      description:
        'The values, drawn at random, that `quantiles`, `histogram`, `top`, `patterns` and `looksLike` are about and whose numbers they count'
    }
  )
)

const LooksLike = Nullable(
  Type.Object(
    Object.fromEntries(LOOKS.map((look) => [look, Count(`Texts that look like ${look}`)])) as Record<
      (typeof LOOKS)[number],
      ReturnType<typeof Count>
    >,
    { description: 'Of texts, what they could be read as; each counts once' }
  )
)

export const ColumnProfile = Type.Object(
  {
    name: Type.String({ description: 'The name of the column' }),
    type: Type.String({ description: 'Its type, as DuckDB writes it' }),
    masked: Type.Boolean({
      description: 'Whether it is confidential: then there are counts alone, and no values, lengths or patterns'
    }),
    problem: Nullable(
      Type.Object(
        { code: Type.String({ description: 'Stable, for programs' }), message: Type.String() },
        { description: 'Why nothing is known of the column; null where all went well' }
      )
    ),
    count: Nullable(Count('Values that are not null; null where nothing is known of the column')),
    nulls: Nullable(Count('Values that are null')),
    nan: Nullable(Count('Of floating-point numbers, those that are NaN')),
    infinite: Nullable(Count('Of floating-point numbers and times, those that are infinite')),
    distinct: Distinct,
    min: Value('The least value that is finite; long texts are cut'),
    max: Value('The greatest value that is finite; long texts are cut'),
    mean: Value('Of numbers and times that are finite; null where a number is beyond 1e150'),
    stddev: Nullable(
      Type.Number({
        description: 'The standard deviation of numbers, of times in seconds; null where a number is beyond 1e150'
      })
    ),
    quantiles: Type.Array(
      Type.Object({ quantile: Type.Number({ description: 'From 0 to 1' }), value: Value('The value there') }),
      { description: 'Of numbers and times that are finite' }
    ),
    histogram: Type.Array(
      Type.Object({
        from: Value('Where it begins'),
        to: Value('Where it ends; this value belongs to the next one, but for the last'),
        count: Count('Drawn values in it')
      }),
      { description: 'Of numbers and times that are finite: 20 bins of the same width from `min` to `max`' }
    ),
    top: Type.Array(Type.Object({ value: Value('The value'), count: Count('How often it was drawn') }), {
      description: 'The most frequent values, 20 at most'
    }),
    lengths: Lengths,
    patterns: Type.Array(
      Type.Object({
        pattern: Type.String({
          description:
            'The form of a text: 9 for a digit, A for a capital letter from A to Z, a for any other letter; of 40 characters at most'
        }),
        count: Count('Drawn texts of this form')
      }),
      { description: 'Of texts, the most frequent forms, 10 at most' }
    ),
    looksLike: LooksLike,
    drawn: Drawn
  },
  { $id: 'QualityColumnProfile' }
)
export type ColumnProfile = Static<typeof ColumnProfile>

const Suggestion = Type.Object(
  {
    rule: RuleCreate,
    evidence: Type.String({ description: 'What speaks for it, in words and numbers' }),
    confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'How probable it is that the rule is meant to hold, by a rule of thumb; that it holds now was checked'
    })
  },
  { $id: 'QualityRuleSuggestion' }
)
export type Suggestion = Static<typeof Suggestion>

export const Profile = Type.Object(
  {
    dataset: Type.String({ description: 'The data that were looked at' }),
    rows: Count('Rows that were looked at'),
    columns: Type.Array(ColumnProfile, { description: 'Of each column, in the order of the data' }),
    suggestions: Type.Optional(
      Type.Array(Suggestion, {
        description:
          'Rules that the data keep now and that there are none like yet, the most probable first. `rule` can be sent to `POST /api/quality/rules` as it is'
      })
    ),
    elapsedMs: Type.Integer({ minimum: 0, description: 'Of the whole of it' })
  },
  { $id: 'QualityProfile' }
)
export type Profile = Static<typeof Profile>
