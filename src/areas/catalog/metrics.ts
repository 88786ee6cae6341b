import type { Clock } from '../../engines/clock.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import type { Series } from '../../engines/series/index.ts'
import { LookupCache } from '../../http/lookup-cache.ts'
import { metricText } from '../../http/metric-text.ts'
import type { MetricsPart } from '../../http/metrics.ts'

const EVERY_MS = 60_000
const WAIT_MS = 1000
const BATCH = 500

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly log: { warn(facts: object, message: string): void }
  /** Undefined where the engine was not opened yet. */
  openedSeries(): Promise<Series> | undefined
}

interface Stored {
  readonly sources: number
  readonly points: number
}

/** The engine counts points per source; the sums are computed now and then, only while somebody scrapes. */
export function catalogMetrics({ metadata, clock, log, openedSeries }: Needs): MetricsPart {
  const stored = new LookupCache<Stored | undefined>({
    clock,
    everyMs: EVERY_MS,
    waitMs: WAIT_MS,
    find: async () => {
      const series = await openedSeries()
      return series === undefined ? undefined : addUp(metadata.db, series)
    },
    report: (error) => log.warn({ err: error }, 'stored points can’t be counted now')
  })
  return {
    name: 'catalog',
    async render() {
      // While the engine is not open there is nothing to count.
      const found = openedSeries() === undefined ? undefined : await stored.get()
      const gauge = (name: string, help: string, value: number | undefined) =>
        metricText(name, 'gauge', `${help}, counted every 60 s`, value === undefined ? [] : [{ value }])
      return [
        gauge('millrace_points_stored', 'Points that are stored', found?.points),
        gauge('millrace_sources_with_points', 'Sources that have points', found?.sources)
      ].join('')
    }
  }
}

async function addUp(db: Db, series: Series): Promise<Stored> {
  let [sources, points] = [0, 0]
  for (let after = ''; ; ) {
    const ids = await sourceIds(db, after)
    if (ids.length > 0) {
      for (const { pointCount } of (await series.stats(ids)).values()) {
        sources++
        points += pointCount
      }
    }
    if (ids.length < BATCH) return { sources, points }
    after = ids.at(-1) as string
  }
}

async function sourceIds(db: Db, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom('catalog_sources')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH)
    .execute()
  return rows.map(({ id }) => id)
}
