import { setTimeout as delay } from 'node:timers/promises'
import { toIso } from '../../../src/engines/clock.ts'
import type { Metadata } from '../../../src/engines/metadata/index.ts'
import { eventually } from '../eventually.ts'
import { callServer } from '../process.ts'
import { randomNumbers } from '../random-numbers.ts'
import { type CallFigures, checkCalls, checkRows, type Expected } from './books.ts'
import { startReceiver } from './receiver.ts'
import { type Replicas, startReplicas } from './replicas.ts'

/** Every other server is killed so soon that it has hardly begun. */
const MAX_LIFE_MS = 1000
const CALLS_LIMIT_MS = 90_000
/** Most answers come at once; some calls last so long that a kill cuts them off. */
const MAX_ANSWER_MS = 400
const CALLERS = 8
const END_AFTER_MS = 5000
const SETTLE_LIMIT_MS = 240_000
/** Seconds without a server: within what is decided at once, and so many that they are accounted for in the background. */
const OUTAGES_S = [70, 70, 260]
/** Until then nothing of the schedules with an outage is due. */
const NOT_YET_MS = 600_000

interface CrashPlan {
  readonly replicas: number
  readonly schedules: number
  readonly kills: number
  /** The others are killed after so many calls at the most. */
  readonly maxCalls: number
  readonly seed: number
}

interface CrashFigures extends CallFigures {
  readonly dueTimes: number
  readonly caughtUp: number
}

/**
 * Kills servers at random moments while schedules call an address every second, and starts them again. Throws where a due time
 * has no row or two, a run was called twice without need, or not at all.
 */
export async function crashSchedules(plan: CrashPlan, tell = (_line: string) => {}): Promise<CrashFigures> {
  const random = randomNumbers(plan.seed)
  const receiver = await startReceiver(() => (random() < 0.1 ? random() * MAX_ANSWER_MS : 0))
  const replicas = await startReplicas(plan.replicas)
  try {
    const late = await makeLate(replicas, receiver.url)
    const schedules = await make(replicas, plan.schedules - late.length, receiver.url)
    for (let kill = 0; kill < plan.kills; kill++) {
      if (kill % 2 === 0) {
        const calls = receiver.calls.length + random() * plan.maxCalls
        await eventually(() => receiver.calls.length > calls, CALLS_LIMIT_MS)
      } else await delay(random() * MAX_LIFE_MS) // a random moment is what this is about
      const at = Math.floor(random() * plan.replicas)
      await replicas.kill(at)
      if (kill === 1) await pretendOutages(replicas.metadata, late)
      await replicas.start(at)
      tell(`kill ${kill + 1} of ${plan.kills}: ${receiver.calls.length} calls`)
    }
    const expected = await endAll(replicas, [...schedules, ...late])
    await eventually(() => isSettled(replicas.metadata), SETTLE_LIMIT_MS)
    const rows = await replicas.metadata.db.selectFrom('schedule_runs').selectAll().execute()
    checkRows(expected, rows)
    const caughtUp = rows.filter(({ caught_up }) => caught_up === 1).length
    return { dueTimes: rows.length, caughtUp, ...checkCalls(receiver, rows) }
  } finally {
    await replicas.close()
    await receiver.close()
  }
}

type Made = Omit<Expected, 'endMs'>

function make(replicas: Replicas, count: number, url: string): Promise<Made[]> {
  const bodies = Array.from({ length: count }, (_, at) => ({ name: `each second ${at}`, ...everySecond(url) }))
  return inTurns(bodies, async (body) => {
    const { id, nextRuns } = await call(replicas, 'POST', '', body)
    return { id, firstMs: Date.parse(nextRuns[0]) }
  })
}

const everySecond = (url: string) => ({
  everySeconds: 1,
  overlap: 'queue',
  catchUp: 'all',
  target: { type: 'http', config: { url } }
})

/** Schedules whose first due time is put back while a server is dead, as if it had been so for longer. */
function makeLate(replicas: Replicas, url: string): Promise<Made[]> {
  const startAt = toIso(Math.ceil(Date.now() / 1000) * 1000 + NOT_YET_MS)
  let made = 0
  return inTurns(OUTAGES_S, async (seconds) => {
    made += 1
    const body = { ...everySecond(url), name: `missed ${made}`, startAt }
    const { id } = await call(replicas, 'POST', '', body)
    return { id, firstMs: Math.floor(Date.now() / 1000 - seconds) * 1000 }
  })
}

async function pretendOutages(metadata: Metadata, late: readonly Made[]): Promise<void> {
  for (const { id, firstMs } of late) {
    await metadata.transaction(async (tx) => {
      const first = toIso(firstMs)
      const { timing } = await tx
        .selectFrom('schedules')
        .select('timing')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const earlier = JSON.stringify({ ...(JSON.parse(timing) as object), startAt: first })
      const change = { timing: earlier, next_due_at: first, next_fire_at: first }
      await tx.updateTable('schedules').set(change).where('id', '=', id).execute()
    })
  }
}

/** Gives each an end that is still to come. */
function endAll(replicas: Replicas, schedules: readonly Made[]): Promise<Expected[]> {
  return inTurns(schedules, (schedule) =>
    // Refused where the server is so busy that the end is over by then.
    eventually(async () => {
      const endMs = Math.ceil(Date.now() / 1000) * 1000 + END_AFTER_MS
      await call(replicas, 'PUT', `/${schedule.id}`, { endAt: toIso(endMs) })
      return { ...schedule, endMs }
    })
  )
}

async function isSettled({ db }: Metadata): Promise<boolean> {
  const due = await db.selectFrom('schedules').select('id').where('next_fire_at', 'is not', null).executeTakeFirst()
  const open = await db
    .selectFrom('schedule_runs')
    .select('id')
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst()
  const gap = await db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', 'scheduler.account')
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return due === undefined && open === undefined && gap === undefined
}

/** Some at a time, so that no call waits for the others. */
async function inTurns<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < all.length; from += CALLERS) {
    results.push(...(await Promise.all(all.slice(from, from + CALLERS).map(work))))
  }
  return results
}

async function call({ servers, token }: Replicas, method: string, path: string, body: object) {
  const url = servers[0]?.url as string
  const answer = await callServer(url, token, method, `/api/scheduler/schedules${path}`, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
