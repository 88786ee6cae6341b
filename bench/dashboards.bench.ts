import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { Reader } from '../src/areas/dashboards/data/reader.ts'
import { DEFAULT_LIMITS } from '../src/data/limits.ts'
import { openTestPlane } from '../src/data/testing/plane.ts'
import { systemClock } from '../src/engines/clock.ts'
import { openCrowded } from './dashboards/crowd.ts'
import { median } from './support/servers.ts'

const VIEWERS = 1000
const REFRESH_S = 5
const REFRESHES = 4
const ASKED_LIMIT = 12
const P99_LIMIT_MS = 100
const ROWS = 10_000_000
const ROUNDS = 5
const BARE_LIMIT = 1.3

/** What many viewers of one dashboard cost, and what a panel of many rows takes beside the query alone. */
export async function run(): Promise<boolean> {
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
  return [await crowd(), await manyRows()].every((ok) => ok)
}

async function crowd(): Promise<boolean> {
  const site = await openCrowded(REFRESH_S)
  try {
    await ask('viewers.ts', { ...site, viewers: 1, refreshMs: 0, rounds: 1 })
    const [before, processor] = [site.asked(), process.cpuUsage()]
    const asked = { url: site.url, token: site.token, viewers: VIEWERS, refreshMs: REFRESH_S * 1000, rounds: REFRESHES }
    const seen = (await ask('viewers.ts', asked)) as Seen
    const { user, system } = process.cpuUsage(processor)
    // What is read by a refresh that has begun when the last viewer leaves belongs to another one.
    const perRefresh = (site.asked() - before) / (seen.tookMs / (REFRESH_S * 1000))
    const ok = seen.wrong === 0 && seen.p99Ms < P99_LIMIT_MS && perRefresh <= ASKED_LIMIT
    console.log(
      `${VIEWERS} viewers of 12 panels, every ${REFRESH_S} s: ${seen.requests} answers, ${seen.wrong} wrong, ` +
        `${(seen.bytes / seen.requests / 1024).toFixed(0)} KiB each, median ${seen.p50Ms.toFixed(1)} ms, ` +
        `p99 ${seen.p99Ms.toFixed(1)} ms (limit ${P99_LIMIT_MS}), ${perRefresh.toFixed(1)} questions per refresh ` +
        `(limit ${ASKED_LIMIT}), ${((user + system) / 1e6).toFixed(1)} s of the processor in ${(seen.tookMs / 1000).toFixed(0)} s` +
        `${ok ? '' : '  NOT WITHIN'}`
    )
    return ok
  } finally {
    await site.close()
  }
}

interface Seen {
  readonly requests: number
  readonly wrong: number
  readonly bytes: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly tookMs: number
}

async function manyRows(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const test = await openTestPlane({ timeoutMs: 300_000 })
  try {
    const file = join(folder, 'rows.parquet')
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const rows = `SELECT TIMESTAMP '2026-01-01' + to_microseconds(range * 360) AS time, sin(range / 1e4) AS value FROM range(${ROWS})`
    await connection.run(`COPY (${rows}) TO '${file}'`)
    connection.closeSync()
    await test.put('rows.parquet', readFileSync(file))
    const reader = new Reader({ clock: systemClock, plane: test.plane, ...NOTHING_ELSE })
    const sql = 'SELECT time, value FROM input'
    const question = {
      kind: 'sql',
      sql,
      relations: { input: 'object://b/rows.parquet' },
      parameters: {},
      timeZone: 'UTC',
      shape: 'picture',
      range: { from: '2026-01-01', to: '2026-01-01T01:00:00Z' },
      maxPoints: 1000
    } as const
    const [own, bare]: [number[], number[]] = [[], []]
    for (let round = 0; round <= ROUNDS; round++) {
      const startMs = performance.now()
      const sight = { masks: new Map(), maxRows: 10_000 }
      const { reduced } = await reader.read(question, sight, new AbortController().signal)
      own.push(performance.now() - startMs)
      if (reduced?.from !== ROWS) throw new Error(`${reduced?.from} rows were looked at, not ${ROWS}`)
      const bareSql = sql.replace('input', `'${file}'`)
      const [alone] = (await ask('bare.ts', { sql: bareSql, rounds: 1, threads: DEFAULT_LIMITS.threads })) as number[]
      bare.push(alone as number)
    }
    // The first of each reads the file from the disk.
    const [ownMs, bareMs] = [median(own.slice(1)), median(bare.slice(1))]
    const ok = ownMs <= BARE_LIMIT * bareMs
    console.log(
      `a panel of ${ROWS} rows: ${ownMs.toFixed(0)} ms, the bare query ${bareMs.toFixed(0)} ms, ` +
        `ratio ${(ownMs / bareMs).toFixed(2)} (limit ${BARE_LIMIT})${ok ? '' : '  ABOVE'}`
    )
    return ok
  } finally {
    await test.close()
    rmSync(folder, { recursive: true })
  }
}

const nobody = async () => {
  throw new Error('Nobody asks for this here')
}
const NOTHING_ELSE = {
  maxQueryPoints: 1,
  lineage: { around: nobody },
  series: nobody,
  sourceExists: nobody,
  units: nobody
}

/** Has a process of its own do something. */
async function ask(file: string, message: object): Promise<unknown> {
  const child = fork(join(import.meta.dirname, 'dashboards', file), { stdio: 'inherit' })
  const answered = once(child, 'message')
  child.send(message)
  const [answer] = await answered
  return answer
}
