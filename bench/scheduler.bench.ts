import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { timetableOf } from '../src/engines/timetable/index.ts'
import { freePort } from '../test/support/free-port.ts'
import { openSite, type Site } from './scheduler/site.ts'
import { idleMs } from './support/idle-time.ts'
import { median, startServer } from './support/servers.ts'

const STORED = 100_000
const TICKS = 300
const DUE_TICKS = 50
const FEW = 10
const TICK_LIMIT_MS = 20
const MANY = 2000
const LATENESS_LIMIT_MS = 1000
const ROUNDS = 3
const AHEAD_MS = 2000
const ASKED = 20_000
const EXPRESSIONS = ['* * * * *', '*/5 * * * * *', '0 6 * * mon-fri', '30 2 L * *', '0 9 * * fri#2', '0 0 29 2 *']

/** What ticks take with many schedules, how late many at once are, and what the area costs when it has nothing to do. */
export async function run(): Promise<boolean> {
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
  for (const cron of EXPRESSIONS) console.log(`next of '${cron}': ${nextMicroseconds(cron).toFixed(1)} µs`)
  console.log(
    `processor time of 20 s idle: with the area ${idleMs([])} ms, without the area ${idleMs(['scheduler'])} ms`
  )
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const port = await freePort()
  const file = join(folder, 'cases.json')
  writeFileSync(file, JSON.stringify([{ method: 'POST', path: '/call', status: 200, body: '{}' }]))
  const receiver = await startServer(['bench/support/bare-api.ts'], port, '/ready', { CASES: file, PORT: String(port) })
  const site = await openSite(`http://127.0.0.1:${port}/call`)
  try {
    await site.fill(STORED)
    const passed = [await idleTicks(site), await dueTicks(site), await manyAtOnce(site)]
    return passed.every((ok) => ok)
  } finally {
    await site.close()
    await receiver.stop()
    rmSync(folder, { recursive: true })
  }
}

function nextMicroseconds(cron: string): number {
  const timetable = timetableOf({ cron, timeZone: 'Europe/Berlin', dst: 'once', exclusions: [] })
  const ask = (count: number) => {
    const startedMs = performance.now()
    for (let [n, ms] = [0, Date.UTC(2026, 0, 1)]; n < count; n++) ms = timetable.next(ms)?.atMs ?? Date.UTC(2026, 0, 1)
    return ((performance.now() - startedMs) / count) * 1000
  }
  ask(ASKED / 10)
  return ask(ASKED)
}

async function idleTicks(site: Site): Promise<boolean> {
  const took: number[] = []
  for (let n = 0; n < TICKS; n++) took.push(await site.tick())
  return tellTicks(`tick with ${STORED} schedules, none due`, took)
}

async function dueTicks(site: Site): Promise<boolean> {
  const took: number[] = []
  for (let n = 0; n < DUE_TICKS; n++) {
    await site.makeDue(FEW, Date.now())
    took.push(await site.tick())
    await ended(site)
  }
  return tellTicks(`tick with ${STORED} schedules, ${FEW} due`, took)
}

function tellTicks(name: string, took: readonly number[]): boolean {
  const ok = quantile(took, 0.99) < TICK_LIMIT_MS
  const figures = `median ${median(took).toFixed(2)} ms, p99 ${quantile(took, 0.99).toFixed(2)} ms`
  console.log(`${name}: ${figures} (limit ${TICK_LIMIT_MS})${ok ? '' : '  ABOVE'}`)
  return ok
}

/** Beside bare jobs that make the same calls. */
async function manyAtOnce(site: Site): Promise<boolean> {
  const rounds: { late: number; allMs: number; jobsMs: number }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const jobsMs = await site.callFromJobs(MANY)
    const dueMs = Math.ceil((Date.now() + AHEAD_MS) / 1000) * 1000
    await site.makeDue(MANY, dueMs)
    await new Promise((resolve) => setTimeout(resolve, dueMs - Date.now()))
    const rows = await ended(site, dueMs)
    if (rows.length !== MANY) throw new Error(`${rows.length} of ${MANY} ran`)
    const late = rows.map(({ started_at }) => Date.parse(String(started_at)) - dueMs)
    const last = Math.max(...rows.map(({ finished_at }) => Date.parse(String(finished_at))))
    if (round > 0) rounds.push({ late: quantile(late, 0.99), allMs: last - dueMs, jobsMs })
  }
  const middle = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of))
  const late = middle((round) => round.late)
  const ok = late < LATENESS_LIMIT_MS
  console.log(
    `${MANY} due at once: p99 of lateness ${late} ms (limit ${LATENESS_LIMIT_MS})${ok ? '' : '  ABOVE'}, all done after ` +
      `${middle(({ allMs }) => allMs)} ms; bare jobs ${middle(({ jobsMs }) => jobsMs).toFixed(0)} ms, ratio ` +
      middle(({ allMs, jobsMs }) => allMs / jobsMs).toFixed(2)
  )
  return ok
}

/** The runs of a due time once nothing is under way or due any more. */
async function ended({ platform }: Site, dueMs = 0) {
  const { db } = platform.metadata
  for (;;) {
    const open = await db
      .selectFrom('schedule_runs')
      .select('id')
      .where('state', 'in', ['queued', 'running'])
      .limit(1)
      .execute()
    const now = new Date().toISOString()
    const due = await db.selectFrom('schedules').select('id').where('next_fire_at', '<=', now).limit(1).execute()
    if (open.length + due.length === 0) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const from = new Date(dueMs).toISOString()
  return db.selectFrom('schedule_runs').select(['started_at', 'finished_at']).where('due_at', '=', from).execute()
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] as number
}
