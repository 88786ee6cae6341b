import assert from 'node:assert/strict'
import { SeriesError, type SeriesErrorCode } from '../errors.ts'
import type { PointValue, Series, WriteRequest, Written } from '../index.ts'
import type { Query } from '../query/plan.ts'

/** The time of points that carry none. */
export const NOW_MS = Date.parse('2026-03-01T12:00:00Z')

/** The contents of a JSON answer, with exact whole numbers and times in nanoseconds. */
export interface Answer {
  readonly aggregation: string | null
  readonly series: readonly {
    readonly tag: string
    readonly unit: string | null
    readonly points: readonly AnswerPoint[]
  }[]
  readonly unknownTags: readonly string[]
  readonly stats: Readonly<Record<string, unknown>>
}

export interface AnswerPoint extends Record<string, unknown> {
  readonly time: bigint
}

/** Writes a body in one format. The engine takes over the body. */
export function write(
  series: Series,
  sourceId: string,
  body: string,
  options: Partial<Pick<WriteRequest, 'format' | 'precision'>> = {}
): Promise<Written> {
  const bytes = Uint8Array.from(Buffer.from(body))
  return series.write({
    sourceId,
    format: 'line',
    precision: 'ns',
    nowMs: NOW_MS,
    ...options,
    body: bytes
  })
}

/** Writes a body of which all points must be accepted. */
export async function writeGood(
  series: Series,
  sourceId: string,
  body: string,
  options: Partial<Pick<WriteRequest, 'format' | 'precision'>> = {}
): Promise<void> {
  const { rejected, errors } = await write(series, sourceId, body, options)
  assert.equal(rejected, 0, JSON.stringify(errors))
}

/** A query for everything that a source has, with the given changes. */
export function question(sourceId: string, asked: Partial<Query> = {}): Query {
  return {
    sourceId,
    tags: undefined,
    fromNs: -(2n ** 63n),
    toNs: 2n ** 63n - 1n,
    bucket: undefined,
    functions: ['avg'],
    fill: 'none',
    maxPoints: undefined,
    timeZone: 'UTC',
    format: 'json',
    units: {},
    aggregation: null,
    limitPoints: 1_000_000,
    ...asked
  }
}

export async function answerBytes(series: Series, query: Query): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of (await series.query(query)).body) pieces.push(piece)
  return Buffer.concat(pieces)
}

export async function ask(series: Series, sourceId: string, asked: Partial<Query> = {}): Promise<Answer> {
  return JSON.parse((await answerBytes(series, question(sourceId, asked))).toString(), exactly)
}

/** The values of one tag, by nanosecond. */
export async function valuesOf(series: Series, sourceId: string, tag: string): Promise<Map<bigint, unknown>> {
  const answer = await ask(series, sourceId, { tags: [tag] })
  return new Map((answer.series[0]?.points ?? []).map(({ time, value }) => [time, value]))
}

function exactly(key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (key === 'time') return ns(value as string)
  const isWhole = source !== undefined && /^-?\d+$/.test(source)
  return typeof value === 'number' && isWhole && !Number.isSafeInteger(value) ? BigInt(source) : value
}

export function ns(iso: string): bigint {
  return Temporal.Instant.from(iso).epochNanoseconds
}

/** Turns a bigint that a double can hold into a number. */
export function narrowed(value: PointValue): PointValue {
  const isSmall = typeof value === 'bigint' && Number.isSafeInteger(Number(value))
  return isSmall ? Number(value) : value
}

export async function refused(work: Promise<unknown>, code: SeriesErrorCode): Promise<SeriesError> {
  let fault: unknown
  try {
    await work
  } catch (error) {
    fault = error
  }
  assert.ok(fault instanceof SeriesError, `${fault} is not a SeriesError`)
  assert.equal(fault.code, code, fault.message)
  return fault
}
