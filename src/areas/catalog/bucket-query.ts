import type { Query, Series } from '../../engines/series/index.ts'
import { withSeries } from './series-problems.ts'

export type BucketQuery = Pick<Query, 'sourceId' | 'tags' | 'fromNs' | 'toNs' | 'bucket' | 'functions' | 'limitPoints'>

/** One for each tag: its buckets in UTC, those without points left out. */
export interface Buckets<P> {
  readonly tag: string
  readonly points: readonly P[]
}

/** Buckets that the server itself works with, all in memory: `limitPoints` bounds them. */
export async function bucketsOf<P>(
  series: () => Promise<Series>,
  asked: BucketQuery,
  signal: AbortSignal
): Promise<readonly Buckets<P>[]> {
  const text = await withSeries(async () => {
    const how = { fill: 'none', maxPoints: undefined, timeZone: 'UTC', format: 'json', units: {} } as const
    const { body } = await (await series()).query({ ...asked, ...how, aggregation: null }, signal)
    const pieces: Uint8Array[] = []
    for await (const piece of body) pieces.push(piece)
    return Buffer.concat(pieces).toString('utf8')
  })
  return (JSON.parse(text) as { series: Buckets<P>[] }).series
}
