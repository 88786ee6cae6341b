import type { Db } from '../../../engines/metadata/index.ts'
import { markInto } from '../../classification/index.ts'
import type { JobRow } from '../migrations.ts'
import type { Sighting } from '../sighting.ts'
import { type Base, folded, NO_BASE, readBase, united, writeBase } from './base.ts'
import { endRows, insertRows } from './fact-rows.ts'
import { JobBook, type KnownRun, spokenOf } from './job-book.ts'
import { type DatedFact, withPast } from './over.ts'
import { NOTHING } from './statement.ts'
import * as store from './store.ts'
import { type JobName, jobName } from './store.ts'
import { type Telling, tellingOf } from './telling.ts'
import { settledTurns } from './turns.ts'
import { runsOf, workOut } from './work-out.ts'

/** Who claims what: takes in what runs say, and keeps the periods in which each edge and each column held. */
export class Claims {
  readonly #statements = new store.Statements()

  take(tx: Db, sightings: readonly Sighting[]): Promise<void> {
    return this.takeTold(tx, sightings.map(tellingOf))
  }

  async takeTold(tx: Db, tellings: readonly Telling[]): Promise<void> {
    const books = await this.#open(tx, tellings)
    for (const telling of tellings.toSorted((a, b) => a.run.timeMs - b.run.timeMs)) {
      books.get(jobName(telling))?.take(telling)
    }
    await this.#save(
      tx,
      [...books.values()].filter(({ touched }) => touched.size > 0)
    )
  }

  /**
   * Removes the runs of a job that began before a time, and keeps what follows from them. What holds and held stays as it
   * is. Answers how many were removed.
   */
  async fold(tx: Db, name: JobName, baseMs: number): Promise<number> {
    const [row] = await store.lockKnownJobs(tx, name)
    if (row === undefined || baseMs <= row.base_ms) return 0
    return (await this.#fold(tx, row, baseMs)).removed
  }

  async #fold(tx: Db, row: JobRow, baseMs: number): Promise<{ base: Base; removed: number }> {
    const runs = (await runsOf(tx, [row], this.#statements)).get(jobName(row)) ?? []
    const old = runs.filter((run) => run.row.start_ms < baseMs)
    const base = folded(await readBase(tx, row), old.map(spokenOf), baseMs)
    await writeBase(tx, row, base, baseMs)
    await store.deleteRuns(tx, row, baseMs)
    return { base, removed: old.length }
  }

  /** What another server knows of a job by runs that it no longer has. Where more is kept here, that counts. */
  async addBase(
    tx: Db,
    { who, baseMs, ...told }: JobName & { readonly who: string; readonly baseMs: number },
    counts: Omit<Base, 'facts'>
  ): Promise<void> {
    if (baseMs === 0) return
    const [row] = (await store.lockJobs(tx, [firstJob({ ...told, who })])) as [JobRow]
    if (baseMs < row.base_ms) return
    const { base: own } = await this.#fold(tx, row, baseMs)
    const base = united(own, { ...NO_BASE, ...counts })
    await writeBase(tx, row, base, baseMs)
    const next = {
      ...row,
      base_ms: baseMs,
      runs: row.runs + base.runs - own.runs,
      whole_runs: row.whole_runs + base.wholeRuns - own.wholeRuns
    }
    await store.saveJobs(tx, await this.#workOut(tx, [next]))
  }

  /** Periods that follow from those runs; answers whether they could be taken, for the base that they belong to. */
  async addPast(tx: Db, name: JobName, baseMs: number, past: readonly DatedFact[]): Promise<boolean> {
    const [row] = await store.lockKnownJobs(tx, name)
    if (row === undefined || baseMs > row.base_ms) return false
    if (baseMs < row.base_ms) return true
    const before = await readBase(tx, row)
    await writeBase(tx, row, await withPast(tx, row, before, past), baseMs)
    await store.saveJobs(tx, await this.#workOut(tx, [row]))
    return true
  }

  async #open(tx: Db, tellings: readonly Telling[]): Promise<Map<string, JobBook>> {
    const fresh = new Map(tellings.map((telling) => [jobName(telling), firstJob(telling)]))
    const jobs = await store.lockJobs(tx, [...fresh.values()])
    const rows = await store.findRuns(
      tx,
      tellings.map(({ job, how, run }) => ({ job, how, id: run.id }))
    )
    const hashes = [...rows.map(({ job, statement }) => ({ job, hash: statement })), ...jobs.map(openOf)]
    const statements = await this.#statements.find(
      tx,
      hashes.filter(({ hash }) => hash !== NOTHING.hash)
    )
    const statementBy = (hash: string) => statements.get(hash) ?? NOTHING
    const runs = Map.groupBy(rows, jobName)
    return new Map(
      jobs.map((row) => {
        const own = (runs.get(jobName(row)) ?? []).map((run): [string, KnownRun] => [
          run.id,
          { row: run, statement: statementBy(run.statement) }
        ])
        return [jobName(row), new JobBook(row, statementBy(row.open), new Map(own))]
      })
    )
  }

  async #save(tx: Db, books: readonly JobBook[]): Promise<void> {
    const [stale, current] = [books.filter(({ isStale }) => isStale), books.filter(({ isStale }) => !isStale)]
    await store.saveTold(tx, {
      statements: distinct(books.flatMap(newStatements)),
      runs: books.flatMap(({ touched }) => [...touched].map(({ row }) => row)),
      jobs: current.map(({ row }) => row)
    })
    await this.#turn(tx, current)
    const rows = await this.#workOut(
      tx,
      stale.map(({ row }) => row)
    )
    await store.saveJobs(tx, rows)
    // A run that is told late may be the first to name two things together that others have named.
    await markInto(
      tx,
      stale.map(({ row }) => row.job)
    )
  }

  #workOut(tx: Db, rows: readonly JobRow[]): Promise<JobRow[]> {
    return workOut(tx, rows, this.#statements)
  }

  async #turn(tx: Db, books: readonly JobBook[]): Promise<void> {
    const settled = books.map(settledTurns)
    await endRows(
      tx,
      settled.flatMap(({ ends }) => ends)
    )
    await insertRows(
      tx,
      settled.flatMap(({ begun }) => begun)
    )
  }
}

const openOf = ({ job, open }: JobRow) => ({ job, hash: open })
const firstJob = ({ job, how, who }: Pick<JobRow, 'job' | 'how' | 'who'>): JobRow => ({
  job,
  how,
  who,
  newest_run: '',
  newest_ms: 0,
  runs: 0,
  whole_runs: 0,
  whole_ms: null,
  open: NOTHING.hash,
  closed_ms: -1,
  base_ms: 0
})

/** What runs say and what holds, but for that which held before: most runs say the same as the last one. */
function newStatements({ row, touched, open, isStale, heldFirst }: JobBook): store.JobStatement[] {
  const said = [...touched].map(({ statement }) => statement)
  return (isStale ? said : [...said, open])
    .filter(({ hash }) => hash !== heldFirst || hash === NOTHING.hash)
    .map((statement) => ({ job: row.job, statement }))
}

function distinct(statements: readonly store.JobStatement[]): store.JobStatement[] {
  return [...new Map(statements.map((one) => [`${one.job} ${one.statement.hash}`, one])).values()]
}
