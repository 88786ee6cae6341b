import { MAX_REFERENCE_CHARS } from '../../../data/reference.ts'
import { ListQuery, Page, Search } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Closed, Id, Name, Nullable, OneOf, Timestamp, Version } from '../../../http/schemas.ts'
import { DURATION_FORM, MAX_DURATION_CHARS } from '../../../http/times.ts'
import { type Static, Type } from '../../../http/type.ts'
import { ANOMALY_KINDS } from '../anomalies/detect.ts'
import { SEASONS } from '../anomalies/history.ts'
import { METHODS } from '../drift/compare.ts'
import { DIMENSIONS, RULE_TYPES, SEVERITIES, STATUSES, TRIGGERS } from '../words.ts'

const MAX_SQL_CHARS = 20_000
const MAX_VALUES = 1000
const MAX_VALUE_CHARS = 1000
const MAX_COLUMNS = 20

const Column = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })

export const Dataset = Type.String({
  minLength: 1,
  maxLength: MAX_REFERENCE_CHARS,
  description: 'A data reference that SQL can read, such as `object://bucket/key`, `series://source` or `pipeline://id`'
})

const ANY_NUMBER = { minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE }

const Bound = (description: string) =>
  Type.Unsafe<number | string>({ type: ['number', 'string'], ...ANY_NUMBER, maxLength: 40, description })

const Drift = (description: string) => Type.Number({ exclusiveMinimum: 0, maximum: 100, description })

/** One of these for all types: which members a type takes is in `config.ts`. */
export const RuleConfig = Closed(
  {
    column: Type.Optional(
      Column('`notNull`, `range`, `allowedValues`, `regex`, `freshness`, `referential`, `distribution`: the column')
    ),
    columns: Type.Optional(
      Type.Array(Column('A column'), {
        minItems: 1,
        maxItems: MAX_COLUMNS,
        uniqueItems: true,
        description: '`unique`: the columns that make the key; rows that lack a part of it are not checked'
      })
    ),
    min: Type.Optional(
      Bound('`range`: the least value, a number or an ISO 8601 time; `rowCount`: the least number of rows')
    ),
    max: Type.Optional(
      Bound('`range`: the greatest value, a number or an ISO 8601 time; `rowCount`: the greatest number of rows')
    ),
    values: Type.Optional(
      Type.Array(
        Type.Unsafe<string | number | boolean>({
          type: ['string', 'number', 'boolean'],
          ...ANY_NUMBER,
          maxLength: MAX_VALUE_CHARS
        }),
        {
          minItems: 1,
          maxItems: MAX_VALUES,
          uniqueItems: true,
          description: '`allowedValues`: the values that there may be'
        }
      )
    ),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_VALUE_CHARS,
        description: '`regex`: a regular expression of RE2, found anywhere in the text unless `^` and `$` hold it'
      })
    ),
    maxAge: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_DURATION_CHARS,
        description: `\`freshness\`: how old the newest time in the column may be; ${DURATION_FORM}`
      })
    ),
    schemaId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: '`schemaMatches`: the schema that the columns must fit' })
    ),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: '`schemaMatches`: the version; the newest if not said'
      })
    ),
    to: Type.Optional(
      Closed(
        { dataset: Dataset, column: Column('The column that has the values') },
        { description: '`referential`: where each value of the column must occur' }
      )
    ),
    baseline: Type.Optional(
      Type.String({
        maxLength: 64,
        pattern: '^(first|qb_[0-9a-z]{1,60})$',
        description:
          '`distribution`: what the rows are compared with: the id of a baseline, or `first` (which it is if not said) for one that the rule makes of the first rows that it is asked of'
      })
    ),
    method: Type.Optional(
      OneOf(
        ['auto', ...METHODS],
        '`distribution`: `ks` is the Kolmogorov–Smirnov distance, `psi` the population stability index, `chiSquare` the test of that name, measured by Cramér’s V; `auto` is `ks` for numbers and times, `chiSquare` for texts and truth values'
      )
    ),
    maxDrift: Type.Optional(
      Drift(
        '`distribution`: more than this is a failure; 0.1 if neither this nor `warnDrift` is said. Below 1 unless the method is `psi`'
      )
    ),
    warnDrift: Type.Optional(Drift('`distribution`: more than this is a warning. Below 1 unless the method is `psi`')),
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_SQL_CHARS,
        description: '`sql`: a SELECT over the relation `dataset` that answers the rows that are wrong'
      })
    ),
    where: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_SQL_CHARS,
        description: 'All but `schemaMatches` and `sql`: a condition in SQL; other rows are not checked'
      })
    ),
    sample: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 100,
        description:
          '`notNull`, `range`, `allowedValues`, `regex`, `distribution`: percent of the rows that are looked at, chosen at random'
      })
    )
  },
  { description: 'What is asked; each type takes members of its own' }
)
export type RuleConfig = Static<typeof RuleConfig>

const Threshold = (description: string) =>
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    maxLength: 24,
    description: `${description}: a number of rows, or a percentage of those checked such as \`"2.5%"\``
  })

const On = Type.Array(
  OneOf(TRIGGERS, '`pipeline`: a run of the pipeline has completed; `object`: an object was written'),
  {
    maxItems: TRIGGERS.length,
    uniqueItems: true,
    description: 'What has the rule evaluated by itself, within seconds'
  }
)

const Anomalies = Type.Boolean({
  description: 'Whether to look for what is odd in the history of what the rule has measured; so it is if not said'
})

const Severity = OneOf(SEVERITIES, 'How much it matters; the score gives them the weights 1, 2, 4 and 8')
const Dimension = OneOf(DIMENSIONS, 'What kind of quality it is about')
const RuleName = Name('Its name, which no other rule has')
const Description = Type.String({ maxLength: 1000, description: 'For people' })
const Type_ = OneOf(RULE_TYPES, 'What kind of question it is')
const Enabled = Type.Boolean({ description: 'Whether it is evaluated with its dataset and counts for the score' })

export const Expected = Type.Object({
  value: Type.Number({ description: 'What was expected' }),
  low: Type.Number({ description: 'The least that is usual' }),
  high: Type.Number({ description: 'The most that is usual' }),
  points: Type.Integer({ description: 'Evaluations that this follows from' }),
  season: Nullable(OneOf(SEASONS, 'The season that was found; null for none')),
  trendPerDay: Type.Number({ description: 'By how much it grows in a day' })
})

export const Anomaly = Nullable(
  Type.Object(
    {
      kind: OneOf(
        ANOMALY_KINDS,
        '`value`: a single measurement lies far off; `shift`: the last seven together lie off to one side; `spread`: they are scattered far more than those before'
      ),
      since: Timestamp('The first evaluation that was odd'),
      measured: Nullable(Type.Number({ description: 'What it measured; null where that may not be seen' })),
      expected: Nullable(Expected),
      message: Type.String({ description: 'The same in words' })
    },
    {
      description:
        'What is odd about what the rule has measured; null where it is as expected. What is odd for more than seven evaluations is what is expected from then on'
    }
  )
)

export const Rule = Type.Object(
  {
    id: Id('qr', 'rule'),
    name: RuleName,
    description: Description,
    dataset: Dataset,
    type: Type_,
    config: RuleConfig,
    severity: Severity,
    dimension: Dimension,
    warnThreshold: Type.Union([Threshold('More than this is a warning'), Type.Null()]),
    failThreshold: Type.Union([Threshold('More than this is a failure'), Type.Null()]),
    on: On,
    anomalies: Anomalies,
    enabled: Enabled,
    status: Nullable(OneOf(STATUSES, 'What the last evaluation came to; null before the first')),
    statusSince: Nullable(Timestamp('Since when it is so')),
    evaluatedAt: Nullable(Timestamp('When it was evaluated last')),
    downstream: Nullable(
      Type.String({ description: 'Of one that fails: what was downstream of the data when it began to' })
    ),
    anomaly: Anomaly,
    version: Version,
    createdAt: Timestamp('When the rule was made'),
    updatedAt: Timestamp('When it was last changed')
  },
  {
    $id: 'QualityRule',
    examples: [
      {
        id: 'qr_01kb8y2m6ze8r4n0c5t7w9q3fd',
        name: 'orders have a customer',
        description: '',
        dataset: 'object://sales/orders.parquet',
        type: 'notNull',
        config: { column: 'customer' },
        severity: 'error',
        dimension: 'completeness',
        warnThreshold: 0,
        failThreshold: '1%',
        on: ['object'],
        anomalies: true,
        enabled: true,
        status: 'passed',
        statusSince: '2026-01-01T08:00:00.000Z',
        evaluatedAt: '2026-01-02T08:00:00.000Z',
        downstream: null,
        anomaly: null,
        version: 1,
        createdAt: '2026-01-01T08:00:00.000Z',
        updatedAt: '2026-01-01T08:00:00.000Z'
      }
    ]
  }
)
export type Rule = Static<typeof Rule>

const changeable = {
  description: Type.Optional(Description),
  severity: Type.Optional(Severity),
  dimension: Type.Optional(Dimension),
  warnThreshold: Type.Optional(Type.Union([Threshold('More than this is a warning'), Type.Null()])),
  failThreshold: Type.Optional(Type.Union([Threshold('More than this is a failure'), Type.Null()])),
  on: Type.Optional(On),
  anomalies: Type.Optional(Anomalies),
  enabled: Type.Optional(Enabled)
}

export const RuleCreate = Closed(
  { name: RuleName, dataset: Dataset, type: Type_, config: RuleConfig, ...changeable },
  { $id: 'QualityRuleCreate' }
)
export type RuleCreate = Static<typeof RuleCreate>

/** What a rule is about and of which type it is stays: its history would be that of another question. */
export const RuleUpdate = Closed(
  { name: Type.Optional(RuleName), config: Type.Optional(RuleConfig), ...changeable },
  { $id: 'QualityRuleUpdate' }
)
export type RuleUpdate = Static<typeof RuleUpdate>

export const RuleQuery = ListQuery(['name', 'createdAt'], {
  q: Search,
  dataset: Type.Optional(Type.String({ maxLength: MAX_REFERENCE_CHARS, description: 'Exactly this dataset' })),
  type: Type.Optional(Type_),
  severity: Type.Optional(Severity),
  dimension: Type.Optional(Dimension),
  status: Type.Optional(OneOf(STATUSES, 'Of the last evaluation')),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether it is enabled' })),
  anomalous: Type.Optional(Type.Boolean({ description: 'Whether what it measures is odd now' }))
})
export type RuleQuery = Static<typeof RuleQuery>
export const RulePage = Page('rules', Rule)

export const RuleParams = Params('quality-rule', 'id', { id: Type.String({ maxLength: 64 }) })
