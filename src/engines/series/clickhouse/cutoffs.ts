import { quoteAll, quoteText } from '../../clickhouse/quote.ts'
import { splitDay } from '../query/ns.ts'
import { allRows, RowWriter } from './row-binary.ts'
import { CUTOFF_COLUMNS, onCluster, storedTable } from './schema.ts'
import type { ClickhouseServer } from './server.ts'
import { int64, MAX_NS, MIN_NS, periodOf } from './times.ts'
import type { VersionClock } from './version-clock.ts'

const NS_PER_DAY = 86_400_000_000_000n

/** Which rows of a source count: those of this generation, from this time on. */
export interface Cutoff {
  readonly generation: bigint
  readonly fromNs: bigint
  /** Whether tags of this generation were deleted. */
  readonly hasDeletions: boolean
}

const NO_CUTOFF: Cutoff = { generation: 0n, fromNs: MIN_NS, hasDeletions: false }

/** The cutoff of each of these sources. */
export async function cutoffsOf(server: ClickhouseServer, sourceIds: readonly string[]): Promise<Map<string, Cutoff>> {
  const cutoffs = new Map(sourceIds.map((id) => [id, NO_CUTOFF]))
  const wanted = `WHERE source IN (${quoteAll(sourceIds)})`
  const sql = `SELECT source, argMax(generation, version) AS generation_, argMax(from_time, version) AS time,
    toUInt8(0) AS is_deletion FROM ${server.settings.database}.cutoffs ${wanted} GROUP BY source
    UNION ALL SELECT source, generation AS generation_, toInt64(0) AS time, toUInt8(1) AS is_deletion
    FROM ${server.settings.database}.deleted_tags ${wanted} GROUP BY source, generation`
  const deletions: [string, bigint][] = []
  await allRows(await server.select(sql), (row) => {
    const [source, generation, fromNs, isDeletion] = [row.text(), row.uint64(), row.int64(), row.uint8() === 1]
    if (isDeletion) deletions.push([source, generation])
    else cutoffs.set(source, { generation, fromNs, hasDeletions: false })
  })
  for (const [source, generation] of deletions) {
    const cutoff = cutoffs.get(source) as Cutoff
    if (cutoff.generation === generation) cutoffs.set(source, { ...cutoff, hasDeletions: true })
  }
  return cutoffs
}

/**
 * Takes effect as soon as this resolves. ClickHouse removes the rows in the background, and only if there are any:
 * that rewrites whole files.
 */
export async function dropSource(server: ClickhouseServer, clock: VersionClock, sourceId: string): Promise<void> {
  const hasRows = (await hasAny(server, 'tag_stats', sourceId)) || (await hasAny(server, 'deleted_tags', sourceId))
  if (!hasRows && (await cutoffsOf(server, [sourceId])).get(sourceId) === NO_CUTOFF) return
  const generation = clock.next()
  await save(server, sourceId, { ...NO_CUTOFF, generation }, generation)
  if (!hasRows) return
  const gone = `source = ${quoteText(sourceId)} AND generation < ${generation}`
  for (const table of ['points', 'tag_stats', 'labels', 'deleted_tags']) await remove(server, table, gone)
}

/** Takes effect as soon as this resolves; rows are removed as with `dropSource`, and only whole days. */
export async function retainFrom(
  server: ClickhouseServer,
  clock: VersionClock,
  sourceId: string,
  fromMs: number
): Promise<void> {
  const before = (await cutoffsOf(server, [sourceId])).get(sourceId) as Cutoff
  const fromNs = clamped(BigInt(Math.ceil(fromMs)) * 1_000_000n)
  if (fromNs === before.fromNs) return
  await save(server, sourceId, { ...before, fromNs }, clock.next())
  const [day, dayBefore] = [dayOf(fromNs), dayOf(before.fromNs)]
  if (day <= dayBefore || !(await hasAny(server, 'tag_stats', sourceId))) return
  const own = `source = ${quoteText(sourceId)} AND generation = ${before.generation}`
  await remove(server, 'points', `${own} AND time < ${int64(clamped(day * NS_PER_DAY))}`)
  if (periodOf(fromNs) > periodOf(before.fromNs)) {
    await remove(server, 'tag_stats', `${own} AND period < ${int64(periodOf(fromNs))}`)
  }
}

const dayOf = (ns: bigint) => BigInt(splitDay(ns).day)

function clamped(ns: bigint): bigint {
  if (ns < MIN_NS) return MIN_NS
  return ns > MAX_NS ? MAX_NS : ns
}

async function hasAny(server: ClickhouseServer, table: string, sourceId: string): Promise<boolean> {
  const sql = `SELECT count() FROM ${server.settings.database}.${table} WHERE source = ${quoteText(sourceId)}`
  const [count] = await allRows(await server.select(sql), (row) => row.whole())
  return count !== 0
}

async function save(server: ClickhouseServer, sourceId: string, cutoff: Cutoff, version: bigint): Promise<void> {
  const row = new RowWriter()
  row.text(sourceId, 24)
  row.int64(cutoff.generation)
  row.int64(cutoff.fromNs)
  row.int64(version)
  await server.insert('cutoffs', CUTOFF_COLUMNS, row.finish())
}

export async function remove(server: ClickhouseServer, table: string, condition: string): Promise<void> {
  const { settings } = server
  await server.run(`ALTER TABLE ${storedTable(settings, table)}${onCluster(settings)} DELETE WHERE ${condition}`)
}
