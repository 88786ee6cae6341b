import { FILLS, FUNCTIONS } from '../../../engines/series/index.ts'
import { Closed, Name, Nullable, OneOf } from '../../../http/schemas.ts'
import { DURATION_FORM, MAX_DURATION_CHARS, MAX_TIME_CHARS, TIME_FORM } from '../../../http/times.ts'
import { type Static, Type } from '../../../http/type.ts'
import { COLORS, GRID_COLUMNS, MAX_PANELS, MAX_VARIABLES, PANEL_TYPES, VARIABLE_TYPES } from './words.ts'

const MAX_SQL_CHARS = 20_000
const MAX_TEXT_CHARS = 20_000
const MAX_VALUES = 1000
const MAX_VALUE_CHARS = 1000

const Text = (maxLength: number, description: string) => Type.String({ maxLength, description })
const Figure = (description: string) => Type.Number({ minimum: -1e300, maximum: 1e300, description })
const Time = (what: string) =>
  Type.String({ minLength: 1, maxLength: MAX_TIME_CHARS, description: `${what}: ${TIME_FORM}` })

const Reference = (description: string) => Type.String({ minLength: 1, maxLength: 2048, description })

const References = Type.Unsafe<Readonly<Record<string, string>>>({
  type: 'object',
  minProperties: 1,
  maxProperties: 10,
  patternProperties: { '^.{1,63}$': { type: 'string', minLength: 1, maxLength: 2048 } },
  additionalProperties: false,
  description: 'Several data references by the names that the SQL has for them'
})

const Sql = (description: string) => Type.String({ minLength: 1, maxLength: MAX_SQL_CHARS, description })

export const TimeRange = Closed(
  { from: Time('From then on'), to: Time('Up to then, and without it') },
  { description: 'What a dashboard or a panel shows' }
)
export type TimeRange = Static<typeof TimeRange>

/** One kind of object for points and for SQL, as conditions of alert rules are; `panel-types.ts` says what goes together. */
export const PanelQuery = Closed(
  {
    sourceId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Of points: the source in the catalog, or `$variable`' })
    ),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
        minItems: 1,
        maxItems: 200,
        description:
          'Of points: names of tags, patterns (`*`, `?`, `[ab]`), or `$variable`, also within a name; all tags of the source if not said'
      })
    ),
    aggregation: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_DURATION_CHARS,
        description: `Of points: width of the buckets, ${DURATION_FORM}, or \`auto\`, which fits the picture, if not said`
      })
    ),
    function: Type.Optional(OneOf(FUNCTIONS, 'Of points: what is computed of each bucket; `avg` if not said')),
    fill: Type.Optional(OneOf(FILLS, 'Of points: what stands in buckets without points; `none` if not said')),
    reference: Type.Optional(
      Reference('The data reference that SQL reads by the name `input`; of a `lineage` panel, whose lineage it shows')
    ),
    references: Type.Optional(References),
    sql: Type.Optional(
      Sql(
        'A SELECT. Variables are its parameters `$name`, one with several values is a list; `$from`, `$to` and `$interval_seconds` are there always. All rows of the reference if not said'
      )
    )
  },
  {
    description:
      'Of points: `sourceId`, `tags`, `aggregation`, `function`, `fill`. Of SQL: `reference` or `references`, `sql`. Of lineage: `reference`.'
  }
)
export type PanelQuery = Static<typeof PanelQuery>

const Threshold = Closed({
  value: Nullable(Figure('From this value on; null: below all others')),
  color: OneOf(COLORS, 'The colour of values from there on')
})

/** What a panel of each type understands is in `panel-types.ts`. */
export const PanelOptions = Closed({
  unit: Type.Optional(Text(32, 'What values are in: `°C`, `%`, `bytes`, `s`, `EUR`, …')),
  decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 12, description: 'Digits behind the point' })),
  min: Type.Optional(Figure('The lower end of the axis or the gauge')),
  max: Type.Optional(Figure('The upper end of the axis or the gauge')),
  thresholds: Type.Optional(
    Type.Array(Threshold, { maxItems: 20, description: 'Colours by value, in rising order of the values' })
  ),
  legend: Type.Optional(
    OneOf(['none', 'bottom', 'right'], 'Where the names of the series stand; `bottom` if not said')
  ),
  stacked: Type.Optional(Type.Boolean({ description: 'Whether values stand on those of the series before' })),
  logarithmic: Type.Optional(Type.Boolean({ description: 'Whether the axis of values is logarithmic' })),
  connectNulls: Type.Optional(Type.Boolean({ description: 'Whether lines go on over missing values' })),
  reduce: Type.Optional(
    OneOf(
      ['last', 'first', 'min', 'max', 'avg', 'sum', 'count'],
      'What one number is made of the values of a series; `last` if not said'
    )
  ),
  sparkline: Type.Optional(Type.Boolean({ description: 'Whether the number has a small line of its values below it' })),
  horizontal: Type.Optional(Type.Boolean({ description: 'Whether bars lie' })),
  buckets: Type.Optional(Type.Integer({ minimum: 2, maximum: 200, description: 'Rows of a heat map of values' })),
  columns: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
      description: 'The columns of a table, in this order; all if not said'
    })
  ),
  pageRows: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Rows of a table on one page' })),
  text: Type.Optional(Text(MAX_TEXT_CHARS, 'Markdown; `$variable` stands for its value')),
  depth: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10, description: 'How far the lineage goes; 3 if not said' })
  ),
  direction: Type.Optional(OneOf(['up', 'down', 'both'], 'Which way the lineage goes; `both` if not said'))
})
export type PanelOptions = Static<typeof PanelOptions>

const Whole = (minimum: number, maximum: number, description: string) => Type.Integer({ minimum, maximum, description })

export const Position = Closed(
  {
    x: Whole(0, GRID_COLUMNS - 1, 'Column of the left edge'),
    y: Whole(0, 10_000, 'Row of the upper edge'),
    w: Whole(1, GRID_COLUMNS, 'Columns'),
    h: Whole(1, 200, 'Rows')
  },
  { description: `Where it lies on a grid of ${GRID_COLUMNS} columns` }
)
export type Position = Static<typeof Position>

export const Link = Closed({
  title: Name('What it leads to'),
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    pattern: '^(https?://|/(?!/))\\S*$',
    description: 'An address with http or https, or one of this server; `$variable` stands for its value, encoded'
  })
})

const Refresh = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 86_400,
    description: 'How long an answer is kept, and how often a viewer asks again; null: only when asked to'
  })
)

export const Panel = Closed(
  {
    id: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,40}$',
      maxLength: 40,
      description: 'Unique on the dashboard'
    }),
    title: Text(200, 'Above the panel; `$variable` stands for its value'),
    description: Type.Optional(Text(2000, 'For people who wonder what they see')),
    type: OneOf(PANEL_TYPES, 'How it is drawn'),
    query: Type.Optional(PanelQuery),
    position: Position,
    options: Type.Optional(PanelOptions),
    timeRange: Type.Optional(TimeRange),
    refreshSeconds: Type.Optional(Refresh),
    links: Type.Optional(Type.Array(Link, { maxItems: 20 })),
    repeat: Type.Optional(
      Closed(
        {
          variable: Type.String({ maxLength: 64, description: 'A panel for each of its chosen values' }),
          direction: Type.Optional(OneOf(['right', 'down'], 'Where the next one lies; `right` if not said')),
          maxPerRow: Type.Optional(Whole(1, GRID_COLUMNS, 'Of those that lie to the right; as many as fit if not said'))
        },
        { description: 'Draws the panel several times' }
      )
    )
  },
  { $id: 'DashboardPanel' }
)
export type Panel = Static<typeof Panel>

const Value = Type.String({ maxLength: MAX_VALUE_CHARS })

export const Variable = Closed(
  {
    name: Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$',
      maxLength: 64,
      description: 'As `$name` in queries, titles and texts'
    }),
    label: Type.Optional(Text(200, 'What people read; the name if not said')),
    type: OneOf(VARIABLE_TYPES, 'Where its values come from'),
    value: Type.Optional(Type.String({ maxLength: MAX_VALUE_CHARS, description: 'Of a constant: its value' })),
    values: Type.Optional(
      Type.Array(Closed({ value: Value, label: Type.Optional(Text(200, 'What people read')) }), {
        minItems: 1,
        maxItems: MAX_VALUES,
        description: 'Of a list: what can be chosen'
      })
    ),
    query: Type.Optional(
      Closed(
        {
          reference: Type.Optional(Reference('The data reference that the SQL reads by the name `input`')),
          references: Type.Optional(References),
          sql: Sql(
            'A SELECT of what can be chosen: the first column is the value, a second one what people read. Variables that stand before this one are its parameters'
          )
        },
        { description: 'Of a query: where the values come from' }
      )
    ),
    multiple: Type.Optional(Type.Boolean({ description: 'Whether several values can be chosen' })),
    default: Type.Optional(
      Type.Array(Value, {
        maxItems: MAX_VALUES,
        description: 'What is chosen at first; the first that can be chosen if not said'
      })
    )
  },
  { $id: 'DashboardVariable' }
)
export type Variable = Static<typeof Variable>

/** Everything of a dashboard that is its content, and has a history. */
export const content = {
  name: Name('What people call it'),
  description: Text(2000, 'What it is for'),
  folder: Type.String({
    maxLength: 500,
    pattern: '^$|^[^/\\s]([^/]*[^/\\s])?(/[^/\\s]([^/]*[^/\\s])?)*$',
    description: 'Names with slashes between them, such as `plant/line 2`; empty: in none'
  }),
  tags: Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^\\S(.*\\S)?$' }), {
    maxItems: 50,
    uniqueItems: true
  }),
  panels: Type.Array(Panel, { maxItems: MAX_PANELS }),
  variables: Type.Array(Variable, { maxItems: MAX_VARIABLES, description: 'In the order in which they are chosen' }),
  timeRange: TimeRange,
  timeZone: Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$',
    description: 'IANA name of the zone in which times are shown and days begin'
  }),
  refreshSeconds: Refresh,
  links: Type.Array(Link, { maxItems: 50 })
}

export const Content = Type.Object(content)
export type Content = Static<typeof Content>
