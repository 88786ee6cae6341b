import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../test/support/any-character.ts'
import { PANEL_FACTS } from '../model/panel-types.ts'
import type { Content, Panel, PanelOptions, PanelQuery, Variable } from '../model/schema.ts'
import { BUILT_IN, COLORS, PANEL_TYPES } from '../model/words.ts'

/** Texts that a database and JSON can hold, odd ones among them. */
const text = (maxLength: number) =>
  fc.string({ unit: ANY_CHARACTER, maxLength }).map((value) => value.replaceAll('\u0000', '').toWellFormed())
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((value) => value.trim() || 'name')
const line = name.map(
  (value) =>
    value
      .replaceAll(/[\r\n\u2028\u2029]/g, ' ')
      .replaceAll('\u0000', '')
      .trim() || 'name'
)
const figure = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((value) => value || 0)

const reference = fc.constantFrom(
  'object://lake/orders/*.parquet',
  'series://src_1/oil',
  'pipeline://pl_1',
  'connector://con_1/public.orders'
)
const relations = fc.oneof(
  fc.record({ reference }),
  fc.record({ references: fc.dictionary(fc.constantFrom('a', 'b', 'orders'), reference, { minKeys: 1, maxKeys: 3 }) })
)

const points: fc.Arbitrary<PanelQuery> = fc.record(
  {
    sourceId: fc.constantFrom('src_1', '$source'),
    tags: fc.array(fc.constantFrom('oil', 'press.*', 'press{line=$line}'), { minLength: 1, maxLength: 3 }),
    aggregation: fc.constantFrom('auto', '5m', '1d'),
    function: fc.constantFrom('avg', 'max', 'last'),
    fill: fc.constantFrom('none', 'null')
  },
  { requiredKeys: ['sourceId'] }
) as fc.Arbitrary<PanelQuery>

const sql: fc.Arbitrary<PanelQuery> = fc
  .tuple(
    relations,
    fc.option(
      text(60).filter((value) => value.length > 0),
      { nil: undefined }
    )
  )
  .map(([data, statement]) => ({ ...data, ...(statement !== undefined && { sql: statement }) }))

const thresholds = fc
  .uniqueArray(figure, { maxLength: 4 })
  .chain((values) =>
    fc.tuple(
      ...values
        .toSorted((a, b) => a - b)
        .map((value) => fc.record({ value: fc.constant(value), color: fc.constantFrom(...COLORS) }))
    )
  )

const everyOption: Record<keyof PanelOptions, fc.Arbitrary<unknown>> = {
  unit: text(10),
  decimals: fc.nat(12),
  min: fc.double({ min: 0.001, max: 1, noNaN: true }),
  max: fc.double({ min: 2, max: 1000, noNaN: true }),
  thresholds,
  legend: fc.constantFrom('none', 'bottom', 'right'),
  stacked: fc.boolean(),
  logarithmic: fc.boolean(),
  connectNulls: fc.boolean(),
  reduce: fc.constantFrom('last', 'max', 'count'),
  sparkline: fc.boolean(),
  horizontal: fc.boolean(),
  buckets: fc.integer({ min: 2, max: 200 }),
  columns: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
  pageRows: fc.integer({ min: 1, max: 1000 }),
  text: text(200),
  depth: fc.integer({ min: 1, max: 10 }),
  direction: fc.constantFrom('up', 'down', 'both')
}

const optionsFor = (type: Panel['type']): fc.Arbitrary<PanelOptions> => {
  const understood = Object.fromEntries(PANEL_FACTS[type].options.map((option) => [option, everyOption[option]]))
  return fc.record(understood, { requiredKeys: [] }) as fc.Arbitrary<PanelOptions>
}

const queryFor = (type: Panel['type']): fc.Arbitrary<PanelQuery | undefined> => {
  if (type === 'text') return fc.constant(undefined)
  return type === 'lineage' ? fc.record({ reference }) : fc.oneof(points, sql)
}

const position = fc
  .tuple(fc.nat(23), fc.nat(100), fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 20 }))
  .map(([x, y, w, h]) => ({ x, y, w: Math.min(w, 24 - x), h }))

const links = fc.array(fc.record({ title: line, url: fc.constantFrom('https://example.com/?a=$line', '/docs') }), {
  maxLength: 2
})
const timeRange = fc.constantFrom({ from: '-6h', to: 'now' }, { from: '2026-01-01', to: '2026-02-01T00:00:00Z' })

const panel: fc.Arbitrary<Omit<Panel, 'id'>> = fc.constantFrom(...PANEL_TYPES).chain((type) =>
  fc
    .tuple(
      queryFor(type),
      fc.record(
        {
          title: text(40),
          description: text(40),
          position,
          options: optionsFor(type),
          timeRange,
          refreshSeconds: fc.option(fc.integer({ min: 1, max: 86_400 })),
          links
        },
        { requiredKeys: ['title', 'position'] }
      )
    )
    .map(([query, rest]) => ({ ...rest, type, ...(query !== undefined && { query }) }) as Omit<Panel, 'id'>)
)

const variable: fc.Arbitrary<Omit<Variable, 'name'>> = fc.oneof(
  fc.record({ type: fc.constant('constant' as const), value: text(20) }),
  fc.uniqueArray(text(20), { minLength: 1, maxLength: 4 }).chain((values) =>
    fc.record(
      {
        type: fc.constant('list' as const),
        label: text(20),
        values: fc.constant(values.map((value) => ({ value }))),
        multiple: fc.constant(true),
        default: fc.subarray(values)
      },
      { requiredKeys: ['type', 'values', 'multiple'] }
    )
  ),
  relations.map((data) => ({ type: 'query' as const, query: { ...data, sql: 'SELECT DISTINCT line FROM input' } }))
)

const variables = fc
  .dictionary(fc.stringMatching(/^[a-z][a-z0-9_]{0,10}$/), variable, { maxKeys: 4, noNullPrototype: true })
  .map((named) =>
    Object.entries(named)
      .filter(([key]) => !(BUILT_IN as readonly string[]).includes(key))
      .map(([key, rest]) => ({ name: key, ...rest }) as Variable)
  )

/** Contents of dashboards that are sound, of every kind of panel and variable. */
export const arbitraryContent: fc.Arbitrary<Content> = fc
  .record({
    name: line,
    description: text(40),
    folder: fc.constantFrom('', 'plant', 'plant/hall 2'),
    tags: fc.uniqueArray(line, { maxLength: 3 }),
    panels: fc
      .array(panel, { maxLength: 6 })
      .map((panels) => panels.map((each, index) => ({ id: `p${index}`, ...each }) as Panel)),
    variables,
    timeRange,
    timeZone: fc.constantFrom('UTC', 'Europe/Berlin'),
    refreshSeconds: fc.option(fc.integer({ min: 1, max: 86_400 })),
    links
  })
  .map((content) => {
    const [first] = content.variables
    if (first === undefined || content.panels.length === 0) return content
    const [panel0, ...rest] = content.panels
    return { ...content, panels: [{ ...(panel0 as Panel), repeat: { variable: first.name } }, ...rest] }
  })
  // As JSON would bring it: plain objects, and no -0.
  .map((content) => JSON.parse(JSON.stringify(content)) as Content)
