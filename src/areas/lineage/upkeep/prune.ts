import type { Clock } from '../../../engines/clock.ts'
import type { Worker } from '../../../engines/jobs/index.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Claims } from '../claims/claims.ts'
import { type JobName, lockKnownJobs } from '../claims/store.ts'
import { type Pace, paceOf } from './pace.ts'
import * as store from './store.ts'

/** Runs of one job that are kept: all of them are looked at where one is told late. */
const MAX_RUNS = 1000
const DAY_MS = 86_400_000
/** Looked at or deleted at once: milliseconds, also where nothing of it is in memory. */
const ROWS_AT_ONCE = 200
const JOBS_AT_ONCE = 100
const BEFORE_ALL: JobName = { job: '', how: '' as JobName['how'] }

interface Needs {
  readonly metadata: Pick<Metadata, 'db'>
  readonly clock: Clock
  readonly claims: Claims
  /** 0 keeps everything for ever, but for runs of which a job has too many. */
  readonly keepDays: number
  readonly maxRuns?: number
}

/** What is looked at is read outside of transactions, so that nobody who writes waits for it; what is found is looked at again. */
interface Upkeep {
  readonly db: Db
  readonly claims: Claims
  readonly pace: Pace
  commit<T>(work: (tx: Db) => Promise<T>): Promise<T>
}

/** Removes what is too old, and runs that are too many. What holds goes on to hold. */
export function pruneLineage({ metadata, clock, claims, keepDays, maxRuns = MAX_RUNS }: Needs): Worker<null> {
  return async ({ signal, commit }) => {
    const upkeep: Upkeep = { db: metadata.db, claims, commit, pace: paceOf(signal) }
    await eachJob(upkeep, store.crowdedJobs(maxRuns), async (tx, name) => {
      const baseMs = await store.startOfNth(tx, name, maxRuns)
      if (baseMs !== undefined) await claims.fold(tx, name, baseMs)
    })
    if (keepDays > 0) await pruneOld(upkeep, clock.now() - keepDays * DAY_MS)
    await eachJob(upkeep, store.jobsWithStaleStatements, (tx, { job }) => store.deleteStatements(tx, job))
  }
}

async function pruneOld(upkeep: Upkeep, beforeMs: number): Promise<void> {
  const { commit, pace, claims } = upkeep
  for (const ended of store.ENDED) await pruneEnded(upkeep, ended, beforeMs)
  while ((await pace(() => commit((tx) => store.deleteLinks(tx, beforeMs, ROWS_AT_ONCE)))) > 0);
  await eachJob(upkeep, store.jobsWithOldRuns(beforeMs), async (tx, name) => {
    const [row] = await lockKnownJobs(tx, name)
    if (row === undefined) return
    // The newest runs decide what holds now, also over what is told of older ones yet.
    const kept = Math.min(beforeMs, row.newest_ms, row.whole_ms ?? row.newest_ms)
    await claims.fold(tx, name, await store.startOfLively(tx, name, kept, beforeMs))
  })
  await eachJob(upkeep, store.idleJobs(beforeMs), (tx, name) => store.deleteIdleJob(tx, name, beforeMs))
  await pruneNodes(upkeep, beforeMs)
}

async function pruneEnded({ db, commit, pace }: Upkeep, ended: store.Ended, beforeMs: number): Promise<void> {
  let after: number | undefined = Number.MIN_SAFE_INTEGER
  while (after !== undefined) {
    const from: number = after
    const upTo = await store.nthEnd(db, ended.table, from, beforeMs, ROWS_AT_ONCE)
    await pace(() => commit((tx) => ended.delete(tx, from, upTo ?? beforeMs - 1)))
    after = upTo
  }
}

/** Jobs in one order, some at a time; those that are found are each dealt with in a transaction of its own. */
async function eachJob(
  { db, commit, pace }: Upkeep,
  find: store.FindJobs,
  work: (tx: Db, name: JobName) => Promise<unknown>
): Promise<void> {
  let after: JobName | undefined = BEFORE_ALL
  while (after !== undefined) {
    const from: JobName = after
    const upTo = await store.nthJobAfter(db, from, JOBS_AT_ONCE)
    const found = await pace(() => find(db, store.between(from, upTo)))
    for (const name of found) await pace(() => commit((tx) => work(tx, name)))
    after = upTo
  }
}

async function pruneNodes({ db, commit, pace }: Upkeep, beforeMs: number): Promise<void> {
  let after: string | undefined = ''
  do {
    const from: string = after
    const { last, forgotten } = await pace(() => store.forgottenNodes(db, from, beforeMs, ROWS_AT_ONCE))
    if (forgotten.length > 0) await pace(() => commit((tx) => store.deleteForgotten(tx, forgotten, beforeMs)))
    after = last
  } while (after !== undefined)
}
