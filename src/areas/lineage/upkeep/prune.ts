import type { Clock } from '../../../engines/clock.ts'
import type { Worker } from '../../../engines/jobs/index.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { Claims } from '../claims/claims.ts'
import { type JobName, lockKnownJobs } from '../claims/store.ts'
import * as store from './store.ts'

/** Runs of one job that are kept: all of them are looked at where one is told late. */
const MAX_RUNS = 1000
const DAY_MS = 86_400_000
const ROWS_AT_ONCE = 500
const JOBS_AT_ONCE = 100

interface Needs {
  readonly clock: Clock
  readonly claims: Claims
  /** 0 keeps everything for ever, but for runs of which a job has too many. */
  readonly keepDays: number
  readonly maxRuns?: number
}

type Commit = <T>(work: (tx: Db) => Promise<T>) => Promise<T>

/** Removes what is too old, and runs that are too many. What holds goes on to hold. */
export function pruneLineage({ clock, claims, keepDays, maxRuns = MAX_RUNS }: Needs): Worker<null> {
  return async ({ signal, commit }) => {
    const goOn = () => signal.throwIfAborted()
    await eachJob(commit, goOn, store.crowdedJobs(maxRuns), async (tx, name) => {
      const baseMs = await store.startOfNth(tx, name, maxRuns)
      if (baseMs !== undefined) await claims.fold(tx, name, baseMs)
    })
    if (keepDays > 0) await pruneOld(commit, goOn, claims, clock.now() - keepDays * DAY_MS)
    for (let after: JobName | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
      const last: JobName | undefined = after
      after = await commit((tx) => store.deleteStatementsAfter(tx, last, JOBS_AT_ONCE))
      goOn()
    }
  }
}

async function pruneOld(commit: Commit, goOn: () => void, claims: Claims, beforeMs: number): Promise<void> {
  for (const deleteSome of [store.deleteEdges, store.deleteMappings, store.deleteLinks]) {
    while ((await commit((tx) => deleteSome(tx, beforeMs, ROWS_AT_ONCE))) > 0) goOn()
  }
  await eachJob(commit, goOn, store.jobsWithOldRuns(beforeMs), async (tx, name) => {
    const [row] = await lockKnownJobs(tx, name)
    if (row === undefined) return
    // The newest runs decide what holds now, also over what is told of older ones yet.
    const kept = Math.min(beforeMs, row.newest_ms, row.whole_ms ?? row.newest_ms)
    await claims.fold(tx, name, await store.startOfLively(tx, name, kept, beforeMs))
  })
  await eachJob(commit, goOn, store.idleJobs(beforeMs), (tx, name) => store.deleteJob(tx, name))
  for (let after: string | undefined = ''; after !== undefined; goOn()) {
    const from: string = after
    after = await commit((tx) => store.deleteNodes(tx, from, beforeMs, ROWS_AT_ONCE))
  }
}

/** Jobs in one order, a few at a time, each in a transaction of its own. */
async function eachJob(
  commit: Commit,
  goOn: () => void,
  find: (tx: Db, after: JobName | undefined, limit: number) => Promise<JobName[]>,
  work: (tx: Db, name: JobName) => Promise<unknown>
): Promise<void> {
  let after: JobName | undefined
  do {
    const last: JobName | undefined = after
    const found: JobName[] = await commit((tx) => find(tx, last, JOBS_AT_ONCE))
    for (const name of found) {
      await commit((tx) => work(tx, name))
      goOn()
    }
    after = found.at(-1)
  } while (after !== undefined)
}
