import { quoteText } from '../../clickhouse/quote.ts'
import type { SourceStats } from '../index.ts'
import { type Cutoff, cutoffsOf } from './cutoffs.ts'
import { allRows } from './row-binary.ts'
import type { ClickhouseServer } from './server.ts'
import type { ClickhouseSettings } from './settings.ts'
import { ofSource } from './tags.ts'
import { int64 } from './times.ts'

/** ClickHouse limits the length of a statement. */
const SOURCES_AT_ONCE = 100

/** The figures of the sources that have points, from the statistics alone. */
export async function statsOf(
  server: ClickhouseServer,
  sourceIds: readonly string[]
): Promise<Map<string, SourceStats>> {
  const stats = new Map<string, SourceStats>()
  for (let i = 0; i < sourceIds.length; i += SOURCES_AT_ONCE) {
    await addStats(server, sourceIds.slice(i, i + SOURCES_AT_ONCE), stats)
  }
  return stats
}

/** Each source has a cutoff of its own, so each has a select of its own, all in one statement. */
async function addStats(
  server: ClickhouseServer,
  sourceIds: readonly string[],
  stats: Map<string, SourceStats>
): Promise<void> {
  const cutoffs = await cutoffsOf(server, sourceIds)
  const each = sourceIds.map((id) => statsSql(server.settings, id, cutoffs.get(id) as Cutoff))
  await allRows(await server.select(each.join(' UNION ALL ')), (row) => {
    const [sourceId, tagCount, pointCount] = [row.text(), row.whole(), row.whole()]
    stats.set(sourceId, { tagCount, pointCount, firstNs: row.int64(), lastNs: row.int64() })
  })
}

function statsSql(settings: ClickhouseSettings, sourceId: string, cutoff: Cutoff): string {
  const tags = `SELECT countMerge(point_count) AS points, minMerge(first_time) AS oldest, maxMerge(last_time) AS newest
    FROM ${settings.database}.tag_stats WHERE ${ofSource(settings, sourceId, cutoff)} GROUP BY tag
    HAVING newest >= ${int64(cutoff.fromNs)}`
  const first = `greatest(min(oldest), ${int64(cutoff.fromNs)})`
  return `SELECT ${quoteText(sourceId)} AS source, count() AS tags, sum(points) AS total, ${first} AS first, max(newest) AS last
    FROM (${tags}) HAVING tags > 0`
}
