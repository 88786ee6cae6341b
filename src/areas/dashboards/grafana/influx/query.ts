import type { SeriesFunction } from '../../../../engines/series/index.ts'
import { parseDuration } from '../../../../http/times.ts'
import type { PanelQuery } from '../../model/schema.ts'
import type { DataTarget } from '../data-sources.ts'
import { entryOf, type Fields, listOf, numberOf, objectsOf, textOf } from '../reading.ts'
import { type Condition, tagPatterns } from './tags.ts'

/** What a query of InfluxDB asks, whether it was put together or written. */
export interface Asked {
  readonly measurement: string
  /** Each with the functions that are applied to it, the innermost first. */
  readonly fields: readonly { readonly name: string; readonly functions: readonly Call[] }[]
  readonly conditions: readonly Condition[]
  /** The width of groups of time; empty where there are none. */
  readonly width: string
  readonly groupTags: readonly string[]
  readonly fill: string
}

interface Call {
  readonly name: string
  readonly parameter: string
}

export interface PointsQuery {
  readonly query: PanelQuery & { sourceId: string; tags: string[] }
  readonly notes: readonly string[]
}

const FUNCTIONS: Readonly<Record<string, SeriesFunction>> = {
  mean: 'avg',
  min: 'min',
  max: 'max',
  sum: 'sum',
  count: 'count',
  first: 'first',
  last: 'last',
  median: 'median',
  stddev: 'stddev'
}
const PERCENTILES: Readonly<Record<string, SeriesFunction>> = { '50': 'median', '90': 'p90', '95': 'p95', '99': 'p99' }
const FILLS = ['none', 'null', 'previous', 'linear'] as const
/** Widths that mean: whatever fits the picture. */
const FITTING = ['auto', '$__interval', `\${__interval}`, '$interval', '']

/** What the parts say that Grafana's editor puts a query together from. */
export function builtQuery(target: Fields): Asked | { problem: string } {
  const group = (type: string) => objectsOf(target.groupBy).filter((part) => textOf(part.type) === type)
  const first = (part: Fields | undefined) => textOf(listOf(part?.params)[0])
  const fields = listOf(target.select).map((select) => {
    const [field, ...calls] = objectsOf(select)
    return { name: first(field), functions: calls.map((call) => ({ name: textOf(call.type), parameter: first(call) })) }
  })
  const conditions = objectsOf(target.tags).map((tag) => ({
    key: textOf(tag.key).replace(/::tag$/, ''),
    operator: textOf(tag.operator) || '=',
    value: textOf(tag.value),
    isOr: /^or$/i.test(textOf(tag.condition))
  }))
  const measurement = textOf(target.measurement)
  if (measurement === '') return { problem: 'it names no measurement' }
  return {
    measurement,
    fields,
    conditions,
    width: first(group('time')[0]),
    groupTags: group('tag').map(first),
    fill: first(group('fill')[0])
  }
}

/** Points of ours for what was asked; a sentence where that can't be said here. */
export function pointsQuery(
  asked: Asked,
  target: DataTarget,
  variables: { has(name: string): boolean }
): PointsQuery | { problem: string } {
  if (!('sourceId' in target)) return { problem: 'its data source was not given as a source of points' }
  const functions = new Set<SeriesFunction>()
  for (const field of asked.fields) {
    const meant = functionOf(field.functions)
    if (typeof meant !== 'string') return meant
    functions.add(meant)
  }
  const [used, ...others] = functions
  if (used === undefined) return { problem: 'it selects no field' }
  if (others.length > 0)
    return { problem: `it shows ${[...functions].join(' and ')} together, and a panel here has one function` }
  const patterns = asked.fields.map(({ name }) => tagPatterns(asked.measurement, name, asked.conditions, variables))
  const problem = patterns.find((each) => 'problem' in each)
  if (problem !== undefined && 'problem' in problem) return problem
  const tags = [...new Set(patterns.flatMap((each) => ('tags' in each ? each.tags : [])))]
  if (tags.length > 200 || tags.some((tag) => tag.length > 1024))
    return { problem: 'it names more series than a panel can' }
  const notes: string[] = []
  const query = { sourceId: target.sourceId, tags, function: used, ...shape(asked, notes) }
  return { query, notes }
}

function functionOf(calls: readonly Call[]): SeriesFunction | { problem: string } {
  const [call, ...more] = calls.filter(({ name }) => name !== 'alias')
  if (call === undefined) return 'last'
  const known = call.name === 'percentile' ? entryOf(PERCENTILES, call.parameter) : entryOf(FUNCTIONS, call.name)
  const names = [call, ...more].map(({ name }) => name).join(', ')
  if (more.length > 0 || known === undefined) return { problem: `it computes ${names}, which is not understood here` }
  return known
}

function shape({ width, groupTags, fill, fields }: Asked, notes: string[]): Pick<PanelQuery, 'aggregation' | 'fill'> {
  const isRaw = fields.some(({ functions }) => functions.length === 0)
  if (isRaw) notes.push('It shows the last point of each stretch of time that fits the picture, not every point.')
  if (!groupTags.includes('*')) {
    notes.push('Series that Grafana put together by their tags are shown one by one.')
  }
  const aggregation = FITTING.includes(width) ? 'auto' : width
  const isWidth = aggregation === 'auto' || parseDuration(aggregation) !== undefined
  if (!isWidth) notes.push(`The width ${width} of its groups is not understood: it is one that fits the picture.`)
  const known = FILLS.find((each) => each === fill)
  if (known === undefined && fill !== '') {
    notes.push(
      numberOf(fill) === undefined ? `The fill ${fill} is not known.` : `Gaps are left empty, not filled with ${fill}.`
    )
  }
  return { aggregation: isWidth ? aggregation : 'auto', ...(known !== undefined && { fill: known }) }
}
