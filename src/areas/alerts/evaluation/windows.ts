import { type Query, type Series, SeriesError, type SeriesFunction } from '../../../engines/series/index.ts'
import type { Failure } from './readings.ts'

/** Aligned to the epoch, so that all points from 1970 on are in one bucket: the window is cut by the times alone. */
const ONE_BUCKET = { count: 1000, unit: 'y' } as const
const TAGS_AT_ONCE = 10_000
/** Tags of texts among those of one question that are found one by one. */
const MAX_TEXTS = 20

export interface WindowQuestion {
  readonly sourceId: string
  readonly tags: readonly string[]
  readonly function: SeriesFunction
  readonly windowMs: number
}

/** The value of each tag in the window that ends now; undefined for those without points. */
export async function windowValues(
  series: Pick<Series, 'query'>,
  { sourceId, tags, function: name, windowMs }: WindowQuestion,
  nowMs: number,
  signal: AbortSignal
): Promise<Map<string, number | Failure | undefined>> {
  const values = new Map<string, number | Failure | undefined>()
  for (let from = 0; from < tags.length; from += TAGS_AT_ONCE) {
    const query = {
      sourceId,
      tags: tags.slice(from, from + TAGS_AT_ONCE),
      fromNs: toNs(nowMs - windowMs),
      toNs: toNs(nowMs),
      bucket: ONE_BUCKET,
      functions: [name],
      limitPoints: 2 * TAGS_AT_ONCE
    }
    for (const { tag, points } of await askWithoutTexts(series, query, values, signal)) {
      const value = points.at(-1)?.value
      values.set(tag, value === undefined || value === null ? undefined : numberOf(tag, value))
    }
  }
  return values
}

export type PartOfQuery = Pick<Query, 'sourceId' | 'fromNs' | 'toNs' | 'bucket' | 'functions' | 'limitPoints'> & {
  readonly tags: readonly string[]
}

interface AnsweredSeries {
  readonly tag: string
  readonly points: readonly AnsweredPoint[]
}

/** Where several functions were asked for, each has a member of its own. */
export type AnsweredPoint = { readonly time: string } & Readonly<Record<string, unknown>> & { readonly value?: unknown }

/** Puts tags of texts aside, for which the function has no meaning: one of them must not hide all others. */
async function askWithoutTexts(
  series: Pick<Series, 'query'>,
  query: PartOfQuery,
  values: Map<string, number | Failure | undefined>,
  signal: AbortSignal
): Promise<readonly AnsweredSeries[]> {
  let tags = query.tags
  for (let texts = 0; ; texts++) {
    try {
      return tags.length === 0 ? [] : await ask(series, { ...query, tags }, signal)
    } catch (error) {
      const isText = error instanceof SeriesError && error.code === 'function_not_applicable'
      const tag = isText ? error.facts.tag : undefined
      if (tag === undefined || texts === MAX_TEXTS) throw error
      values.set(tag as string, ofTexts(tag as string))
      tags = tags.filter((name) => name !== tag)
    }
  }
}

/** Asks the engine and reads its answer, which the limit of points keeps small. */
export async function ask(
  series: Pick<Series, 'query'>,
  query: PartOfQuery,
  signal: AbortSignal
): Promise<readonly AnsweredSeries[]> {
  const plain = {
    fill: 'none',
    maxPoints: undefined,
    timeZone: 'UTC',
    format: 'json',
    units: {},
    aggregation: null
  } as const
  const { body } = await series.query({ ...plain, ...query }, signal)
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return (JSON.parse(Buffer.concat(chunks).toString()) as { series: AnsweredSeries[] }).series
}

/** Whole numbers beyond 2^53 come as the text of their digits. */
export function numberOf(tag: string, value: unknown): number | Failure {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string' && /^-?\d{16,20}$/.test(value)) return Number(value)
  return ofTexts(tag)
}

function ofTexts(tag: string): Failure {
  return {
    error: `The tag ${JSON.stringify(tag)} holds texts, which can’t be compared with a number: use count.`,
    cause: 'tag of texts'
  }
}

export const toNs = (ms: number): bigint => BigInt(Math.round(ms)) * 1_000_000n
