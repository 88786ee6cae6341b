import { type Db, slices } from '../../../engines/metadata/index.ts'
import type { JobRow } from '../migrations.ts'
import { type Base, isOver, NO_BASE, readBase } from './base.ts'
import { type FactRow, factOf, lastingOf, replaceRows, rowOf, rowsOf } from './fact-rows.ts'
import { type KnownRun, spokenOf } from './job-book.ts'
import { isNewer, type Period, periodsOf, type SpokenRun } from './periods.ts'
import { NOTHING, statementOf } from './statement.ts'
import * as store from './store.ts'
import { type JobName, jobName } from './store.ts'

/** Jobs that are worked out together: each may have many runs. */
const JOBS_AT_ONCE = 16

/** Works out all periods of jobs from their runs, and brings the rows in line. Answers the jobs as they are then. */
export async function workOut(tx: Db, jobs: readonly JobRow[], statements: store.Statements): Promise<JobRow[]> {
  const done: JobRow[] = []
  for (const some of slices(jobs, JOBS_AT_ONCE)) {
    const runs = await runsOf(tx, some, statements)
    const rows = Map.groupBy(await rowsOf(tx, some), jobName)
    const worked: Worked[] = []
    for (const job of some) {
      const base = job.base_ms === 0 ? NO_BASE : await readBase(tx, job)
      const spoken = (runs.get(jobName(job)) ?? []).map(spokenOf)
      worked.push(workedOut(job, spoken, base, rows.get(jobName(job)) ?? []))
    }
    await store.saveStatements(
      tx,
      worked.map(({ job, open }) => ({ job: job.job, statement: open }))
    )
    await replaceRows(
      tx,
      worked.flatMap(({ old }) => old),
      worked.flatMap(({ rows: news }) => news)
    )
    done.push(...worked.map(({ job }) => job))
  }
  return done
}

/** The runs that are kept of each of the jobs. */
export async function runsOf(
  tx: Db,
  jobs: readonly JobName[],
  statements: store.Statements
): Promise<Map<string, KnownRun[]>> {
  const rows = await store.runsOf(tx, jobs)
  const wanted = new Map(rows.map(({ job, statement }) => [statement, { job, hash: statement }]))
  const found = await statements.find(tx, [...wanted.values()])
  return Map.groupBy(
    rows.map((row) => ({ row, statement: found.get(row.statement) ?? NOTHING })),
    ({ row }) => jobName(row)
  )
}

interface Worked {
  readonly job: JobRow
  /** Everything that holds now. */
  readonly open: store.JobStatement['statement']
  /** Rows that are no longer so. */
  readonly old: readonly FactRow[]
  /** Rows that there are not yet. */
  readonly rows: readonly FactRow[]
}

function workedOut(job: JobRow, runs: readonly SpokenRun[], base: Base, existing: readonly FactRow[]): Worked {
  const wanted = periodsOf(runs, base)
  const open = statementOf([...wanted].filter(([, periods]) => periods.at(-1)?.endedMs === null).map(([fact]) => fact))
  const newest = runs.reduce((a, b) => (isNewer(b, a) ? b : a), { id: '', startMs: 0 })
  const whole = runs.filter(({ wholeMs }) => wholeMs !== null).map(({ startMs }) => startMs)
  const row = {
    ...job,
    newest_run: newest.id,
    newest_ms: newest.startMs,
    whole_ms: whole.length === 0 ? base.wholeMs : max(whole),
    open: open.hash,
    closed_ms: max([...wanted.values()].flat().map(({ endedMs }) => endedMs ?? 0))
  }
  const kept = existing.filter((one) => !isOver(one.ended_ms, job.base_ms))
  return { job: row, open, ...differenceOf(kept, rowsFor(job, wanted)) }
}

const max = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), 0)

const rowsFor = (job: JobRow, wanted: ReadonlyMap<string, readonly Period[]>): FactRow[] =>
  [...wanted].flatMap(([fact, periods]) => periods.map((period) => rowOf(job, fact, lastingOf(period, job.whole_runs))))

function differenceOf(existing: readonly FactRow[], wanted: readonly FactRow[]): Pick<Worked, 'old' | 'rows'> {
  const missing = new Map(wanted.map((row) => [identityOf(row), row]))
  const old = existing.filter((row) => !missing.delete(identityOf(row)))
  return { old, rows: [...missing.values()] }
}

const identityOf = (row: FactRow): string =>
  `${factOf(row)} ${row.started_ms} ${row.ended_ms} ${row.seen_ms} ${row.runs}`
