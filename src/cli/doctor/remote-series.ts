import { quoteText } from '../../engines/clickhouse/quote.ts'
import type { Clock } from '../../engines/clock.ts'
import { allRows } from '../../engines/series/clickhouse/row-binary.ts'
import { ClickhouseServer } from '../../engines/series/clickhouse/server.ts'
import { readSettings } from '../../engines/series/clickhouse/settings.ts'
import { SeriesError } from '../../engines/series/index.ts'
import { failingWith, within } from '../../engines/timing.ts'
import { type Finding, fail, ok, reasonOf, shownUrl } from '../../finding.ts'

const TIMEOUT_MS = 5000
const SUBJECT = 'series'
/** Codes of ClickHouse for a user or a password that it refuses. */
const REFUSES_USER = [192, 193, 194, 195, 516]

/** Asks ClickHouse for its version and, where points are spread over a cluster, asks every shard whether it answers. */
export async function checkRemoteSeries(seriesUrl: string, clock: Clock): Promise<Finding> {
  const place = shownUrl(seriesUrl)
  try {
    return await withServer(seriesUrl, clock, async (server) => {
      const version = await askVersion(server)
      if (version === undefined) return fail(SUBJECT, `${place}: what answers there is no ClickHouse; check SERIES_URL`)
      const { cluster } = server.settings
      if (cluster === undefined) return ok(SUBJECT, `${place}: ClickHouse ${version}`)
      const shards = await askShards(server, cluster)
      if (shards > 0) return ok(SUBJECT, `${place}: ClickHouse ${version}, all ${shards} shards of ${cluster} answer`)
      return fail(SUBJECT, `${place}: it knows no cluster named ${cluster}; check SERIES_URL and its remote_servers`)
    })
  } catch (error) {
    return fail(SUBJECT, `${place}: ${reasonOf(error)}; ${adviceOn(error)}`)
  }
}

async function withServer<T>(url: string, clock: Clock, work: (server: ClickhouseServer) => Promise<T>): Promise<T> {
  const server = new ClickhouseServer(readSettings(url))
  try {
    return await within(clock, TIMEOUT_MS, work(server), noAnswer)
  } finally {
    await server.close() // also ends a call that is still under way
  }
}

/** Undefined where the answer is not one of ClickHouse. */
async function askVersion(server: ClickhouseServer): Promise<string | undefined> {
  try {
    const [version] = await allRows(await server.select('SELECT version()'), (row) => row.text())
    return /^\d+\.[\d.]+/.test(version ?? '') ? version : undefined
  } catch (error) {
    const isOther = !(error instanceof SeriesError) || error.facts.status !== undefined
    if (isOther) return undefined
    throw error
  }
}

/** How many shards there are; fails unless each of them answers. */
async function askShards(server: ClickhouseServer, cluster: string): Promise<number> {
  const known = `SELECT toUInt32(count()) FROM system.clusters WHERE cluster = ${quoteText(cluster)}`
  if ((await askNumber(server, known)) === 0) return 0
  return askNumber(server, `SELECT toUInt32(count()) FROM cluster(${quoteText(cluster)}, system, one)`)
}

async function askNumber(server: ClickhouseServer, sql: string): Promise<number> {
  const [number = 0] = await allRows(await server.select(sql), (row) => row.uint32())
  return number
}

function adviceOn(error: unknown): string {
  if (!(error instanceof SeriesError)) return 'check SERIES_URL'
  const code = error.facts.clickhouseCode
  if (REFUSES_USER.includes(code as number)) return 'check the user and the password in SERIES_URL'
  if (code === undefined) return 'check host, port and tls in SERIES_URL, and whether ClickHouse runs'
  return error.code === 'unavailable' ? 'see to the servers of the cluster' : 'see the log of ClickHouse'
}

const noAnswer = failingWith(`no answer within ${TIMEOUT_MS / 1000} s`)
