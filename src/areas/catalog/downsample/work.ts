import { parsePattern } from '../../../data/glob.ts'
import type { Series, Tag, Written } from '../../../engines/series/index.ts'
import { parseDuration } from '../../../http/times.ts'
import { type BucketQuery, bucketsOf } from '../bucket-query.ts'
import { withSeries } from '../series-problems.ts'
import type { DownsampleConfig } from './config.ts'
import { lengthMs, piecesOf, type Span } from './span.ts'

const TAGS_AT_ONCE = 500
/** In one question, of all its tags together. */
const BUCKETS_AT_ONCE = 20_000
const BUCKETS_OF_TAG = 5000
/** There are never so many: a bucket counts once for each function at most. */
const MAX_POINTS = 10 * BUCKETS_AT_ONCE
const NS = 1_000_000n

type Functions = NonNullable<DownsampleConfig['functions']>

export interface Order {
  readonly sourceId: string
  readonly config: DownsampleConfig
  readonly functions: Functions
  readonly span: Span
  /** Who writes. */
  readonly holder: string
  readonly signal: AbortSignal
  now(): number
}

export interface Tally {
  tags: number
  written: number
  rejected: number
  /** Of the first point that was refused, why. */
  reason: string | undefined
}

interface Bucket {
  readonly time: string
  readonly [measure: string]: unknown
}

/** Puts the buckets of a span into another source, some tags and some time at once. */
export async function downsample(series: Series, order: Order): Promise<Tally> {
  const tally: Tally = { tags: 0, written: 0, rejected: 0, reason: undefined }
  const everyMs = lengthMs(order.config.every) as number
  for await (const tags of wantedTags(series, order)) {
    tally.tags += tags.length
    for (const span of piecesOf(order.span, everyMs, BUCKETS_OF_TAG)) {
      const size = Math.max(1, Math.floor((BUCKETS_AT_ONCE * everyMs) / (span.toMs - span.fromMs)))
      for (let from = 0; from < tags.length; from += size) {
        const some = tags.slice(from, from + size)
        const { accepted, rejected, errors } = await writeBuckets(series, order, some, span)
        tally.written += accepted
        tally.rejected += rejected
        tally.reason ??= errors[0]?.message
        order.signal.throwIfAborted()
      }
    }
  }
  return tally
}

/** Tags that may have points in the span, page by page. */
async function* wantedTags(series: Series, { sourceId, config, functions, span }: Order): AsyncGenerator<Tag[]> {
  const pattern = config.tags === undefined ? undefined : parsePattern(config.tags)
  const isForTexts = functions.every((name) => name === 'count' || name === 'last')
  const isWanted = ({ name, type, firstNs, lastNs }: Tag) =>
    pattern?.matches(name) !== false &&
    (type !== 'string' || isForTexts) &&
    lastNs >= BigInt(span.fromMs) * NS &&
    firstNs < BigInt(span.toMs) * NS
  let after: string | undefined
  for (;;) {
    const { tags } = await withSeries(() => series.tags(sourceId, { after, limit: TAGS_AT_ONCE }))
    const wanted = tags.filter(isWanted)
    if (wanted.length > 0) yield wanted
    if (tags.length < TAGS_AT_ONCE) return
    after = tags.at(-1)?.name
  }
}

async function writeBuckets(series: Series, order: Order, tags: readonly Tag[], span: Span): Promise<Written> {
  const { config, functions, holder } = order
  const labels = new Map(tags.map((tag) => [tag.name, tag.labels]))
  const buckets = await bucketsOf<Bucket>(async () => series, askedOf(order, tags, span), order.signal)
  const lines: string[] = []
  for (const { tag, points } of buckets) {
    for (const { time, ...values } of points) {
      for (const name of functions) {
        const value = values[functions.length === 1 ? 'value' : name] ?? null
        if (value === null) continue
        const point = { tag: functions.length === 1 ? tag : nameFor(tag, name), time, value, labels: labels.get(tag) }
        lines.push(JSON.stringify(point))
      }
    }
  }
  if (lines.length === 0) return { accepted: 0, rejected: 0, errors: [] }
  const body = new Uint8Array(Buffer.from(lines.join('\n')))
  const write = { sourceId: config.into.sourceId, format: 'ndjson', precision: 'ms', body, holder } as const
  return withSeries(() => series.write({ ...write, nowMs: order.now() }))
}

/** `line.temperature{no=2}` is `line.temperature.avg{no=2}`: what is in braces are labels, and braces in names are escaped. */
function nameFor(tag: string, measure: string): string {
  const [, head = tag, labels = ''] = /^((?:\\.|[^\\{])*)(\{.*\})$/s.exec(tag) ?? []
  return `${head}.${measure}${labels}`
}

function askedOf({ sourceId, config, functions }: Order, tags: readonly Tag[], { fromMs, toMs }: Span): BucketQuery {
  return {
    sourceId,
    tags: tags.map(({ name }) => name),
    fromNs: BigInt(fromMs) * NS,
    toNs: BigInt(toMs) * NS,
    bucket: parseDuration(config.every),
    functions,
    limitPoints: MAX_POINTS
  }
}
