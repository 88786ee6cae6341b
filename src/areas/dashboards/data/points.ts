import type { Query, Series } from '../../../engines/series/index.ts'
import { readTagName } from '../../../engines/series/parse/tag-name.ts'
import { Problem } from '../../../errors.ts'
import { parseDuration } from '../../../http/times.ts'
import { matchingTags, withSeries } from '../../catalog/index.ts'
import type { PointsQuestion } from './question.ts'
import { type Frame, MAX_ROWS } from './schema.ts'
import { MAX_FRAMES } from './sql-frames.ts'
import type { Name } from './substitution.ts'
import { type Span, stepSeconds } from './time-span.ts'

export interface PointsNeeds {
  readonly maxQueryPoints: number
  series(): Promise<Series>
  sourceExists(id: string): Promise<boolean>
  units(sourceId: string, tags: readonly string[]): Promise<Readonly<Record<string, string>>>
}

export interface ReadPoints {
  readonly frames: readonly Frame[]
  readonly reduced: { from: number; to: number } | null
  readonly truncated: boolean
  /** The tags that were found and read: whoever sees the points must be allowed to see them all. */
  readonly tags: readonly string[]
}

const LEAST_POINTS = 3
/** Of texts, only these can be told. */
const OF_TEXTS: readonly string[] = ['count', 'first', 'last']

interface Answered {
  readonly series: readonly {
    readonly tag: string
    readonly unit: string | null
    readonly points: readonly { readonly time: string; readonly value: unknown }[]
  }[]
  readonly stats: { readonly downsampled?: { from: number; to: number } }
}

/** The points of a source that a panel shows, in buckets that fit it. */
export async function readPoints(
  needs: PointsNeeds,
  question: PointsQuestion & { readonly maxPoints: number },
  span: Span,
  maxRows: number,
  signal: AbortSignal
): Promise<ReadPoints> {
  const { sourceId } = question
  if (!(await needs.sourceExists(sourceId))) {
    throw new Problem('not_found', { detail: `There is no source ${sourceId}.` })
  }
  return withSeries(async () => {
    const series = await needs.series()
    const tags = await tagsOf(series, question)
    if (tags.length === 0) return { frames: [], reduced: null, truncated: false, tags }
    // Buckets fit the picture; fewer rows than those of a panel are a limit that somebody has set.
    const most = maxRows < MAX_ROWS ? maxRows : Number.POSITIVE_INFINITY
    const maxPoints = Math.min(question.maxPoints, Math.max(LEAST_POINTS, Math.floor(most / tags.length)))
    const units = await needs.units(sourceId, tags)
    const query = queryOf({ ...question, maxPoints }, tags, span, units, needs.maxQueryPoints)
    const { series: found, stats } = await answerOf(series, query, signal)
    return { ...firstRows(found.map(frameOf), most), reduced: stats.downsampled ?? null, tags }
  })
}

/** So many rows of all frames together. */
function firstRows(frames: readonly Frame[], most: number): Pick<ReadPoints, 'frames' | 'truncated'> {
  let left = most
  let truncated = false
  const cut = frames.map((frame) => {
    const rows = frame.values[0]?.length ?? 0
    const kept = Math.min(rows, left)
    left -= kept
    if (kept === rows) return frame
    truncated = true
    return { ...frame, values: frame.values.map((values) => values.slice(0, kept)) }
  })
  return { frames: cut.filter(({ values }) => !truncated || (values[0]?.length ?? 0) > 0), truncated }
}

async function tagsOf(series: Series, { sourceId, tags, function: name }: PointsQuestion): Promise<string[]> {
  const wanted: readonly Name[] = tags ?? [{ text: '*', isPattern: true }]
  const found = new Set<string>()
  for (const { text, isPattern } of wanted) {
    if (!isPattern) found.add(text)
    else {
      const matching = await matchingTags(series, sourceId, text, MAX_FRAMES, ({ type }) => {
        return type !== 'string' || OF_TEXTS.includes(name)
      })
      if (matching === undefined) throw tooMany()
      for (const tag of matching) found.add(tag)
    }
    if (found.size > MAX_FRAMES) throw tooMany()
  }
  return [...found]
}

const tooMany = () =>
  new Problem('unprocessable', {
    detail: `A panel shows at most ${MAX_FRAMES} tags: name fewer, or a narrower pattern.`
  })

function queryOf(
  question: PointsQuestion & { readonly maxPoints: number },
  tags: readonly string[],
  span: Span,
  units: Readonly<Record<string, string>>,
  limitPoints: number
): Query {
  const { aggregation, maxPoints } = question
  const fitting = { count: stepSeconds(span, maxPoints), unit: 's' } as const
  const bucket = aggregation === undefined ? fitting : parseDuration(aggregation)
  return {
    sourceId: question.sourceId,
    tags,
    fromNs: span.fromNs,
    toNs: span.toNs,
    bucket: bucket ?? fitting,
    functions: [question.function],
    fill: question.fill,
    maxPoints,
    timeZone: question.timeZone,
    format: 'json',
    units,
    aggregation: null,
    limitPoints
  }
}

async function answerOf(series: Series, query: Query, signal: AbortSignal): Promise<Answered> {
  const { body } = await series.query(query, signal)
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString()) as Answered
}

function frameOf({ tag, unit, points }: Answered['series'][number]): Frame {
  const values = points.map(({ value }) => value ?? null)
  const known = values.find((value) => value !== null)
  const type = typeof known === 'boolean' ? 'boolean' : isText(known) ? 'text' : 'number'
  return {
    name: tag,
    labels: { ...readTagName(tag).labels },
    columns: [
      { name: 'time', type: 'time', unit: null },
      { name: 'value', type, unit }
    ],
    values: [points.map(({ time }) => time), values]
  }
}

/** Whole numbers beyond 2^53 come as the text of their digits. */
const isText = (value: unknown): boolean => typeof value === 'string' && !/^-?\d{16,20}$/.test(value)
