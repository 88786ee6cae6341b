import { toIso } from '../clock.ts'
import type { MakeId } from '../ids.ts'
import type { Db } from '../metadata/index.ts'
import { prepareInserts } from '../prepare-rows.ts'
import type { NewJob } from './index.ts'
import { boundedJson } from './json.ts'
import { DEFAULT_MAX_ATTEMPTS, DEFAULT_TIMEOUT_MS, MAX_TIMER_MS } from './limits.ts'
import { QUEUED } from './table.ts'

const MAX_TRIES = 5

export async function enqueueJob(tx: Db, job: NewJob, id: string, nowMs: number): Promise<string> {
  const row = newRow(job, id, nowMs)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const added = await tx
      .insertInto('jobs')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'unique_key'])
          .where('finished_at', 'is', null)
          .where('unique_key', 'is not', null)
          .doNothing()
      )
      .returning('id')
      .executeTakeFirst()
    const found = added ?? (await unfinished(tx, job.kind, row.unique_key))
    if (found !== undefined) return found.id
    // The job in the way has ended between the two statements: the next round can insert.
  }
  throw new Error(`Jobs of kind '${job.kind}' with one key come and go too fast to add another; try again`)
}

const insertJobs = prepareInserts('jobs', [
  'id',
  'kind',
  'unique_key',
  'state',
  'payload',
  'run_at',
  'max_attempts',
  'timeout_ms',
  'deadline_at',
  'created_at'
])

export async function enqueueJobs(tx: Db, jobs: readonly NewJob[], makeId: MakeId, nowMs: number): Promise<string[]> {
  const rows = jobs.map((job) => newRow(job, makeId('job'), nowMs))
  await insertJobs(tx, rows)
  return rows.map(({ id }) => id)
}

async function unfinished(tx: Db, kind: string, key: string | null): Promise<{ id: string } | undefined> {
  const same = tx
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .where('unique_key', '=', key)
    .where('finished_at', 'is', null)
  // A queued job is locked until the caller's transaction ends. A running one is not, because its lease has to be
  // renewed.
  return (await same.where('state', '=', QUEUED).forUpdate().executeTakeFirst()) ?? (await same.executeTakeFirst())
}

function newRow(job: NewJob, id: string, nowMs: number) {
  const { kind, key = null, maxAttempts = DEFAULT_MAX_ATTEMPTS, timeoutMs = DEFAULT_TIMEOUT_MS } = job
  if (!(Number.isInteger(maxAttempts) && maxAttempts >= 1)) throw new Error('maxAttempts has to be 1 or more')
  if (!(Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= MAX_TIMER_MS)) {
    throw new Error(`timeoutMs has to be from 1 to ${MAX_TIMER_MS}`)
  }
  const payload = boundedJson(job.payload)
  if (payload === undefined) {
    throw new Error(`The payload of a '${kind}' job is not JSON of at most 64 KiB; store it and pass its id`)
  }
  return {
    id,
    kind,
    unique_key: key,
    state: 'queued' as const,
    payload,
    run_at: job.runAt === undefined ? toIso(nowMs) : normalised('runAt', job.runAt),
    max_attempts: maxAttempts,
    timeout_ms: timeoutMs,
    deadline_at: job.deadlineAt === undefined ? null : normalised('deadlineAt', job.deadlineAt),
    created_at: toIso(nowMs)
  }
}

/** Times are compared as text, so all of them need the same form. */
function normalised(field: string, time: string): string {
  const ms = Date.parse(time)
  if (Number.isNaN(ms)) throw new Error(`${field} has to be a time in ISO 8601, such as 2026-01-31T12:00:00.000Z`)
  return toIso(ms)
}

/** Makes one row for each recurring kind, if there is none; a changed period takes effect from now. */
export async function ensureRecurring(tx: Db, periods: ReadonlyMap<string, number>, nowMs: number): Promise<void> {
  const ids = [...periods.keys()].map((kind) => `every:${kind}`)
  const known = await tx.selectFrom('jobs').select(['id', 'every_ms']).where('id', 'in', ids).execute()
  const knownPeriods = new Map(known.map(({ id, every_ms }) => [id, Number(every_ms)]))
  for (const [kind, everyMs] of periods) {
    const id = `every:${kind}`
    if (knownPeriods.get(id) === everyMs) continue
    const row = { ...newRow({ kind, payload: null }, id, nowMs), every_ms: everyMs }
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('jobs')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 1n) continue
    const next = toIso(nowMs + everyMs)
    await tx
      .updateTable('jobs')
      .set((eb) => ({
        every_ms: everyMs,
        run_at: eb.case().when('run_at', '>', next).then(next).else(eb.ref('run_at')).end()
      }))
      .where('id', '=', row.id)
      .where('every_ms', '<>', everyMs)
      .execute()
  }
}
