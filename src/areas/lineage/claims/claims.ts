import type { Db } from '../../../engines/metadata/index.ts'
import type { JobRow } from '../migrations.ts'
import type { Sighting } from '../sighting.ts'
import { type Base, folded, isOver, NO_BASE, readBase, united, writeBase } from './base.ts'
import { deleteRow, endRows, type FactRow, factOf, insertRows, lastingOf, rowOf, rowsOf } from './fact-rows.ts'
import { JobBook, type KnownRun, spokenOf, type Turn } from './job-book.ts'
import { type DatedFact, withPast } from './over.ts'
import { isNewer, type Period, periodsOf } from './periods.ts'
import { NOTHING, statementOf } from './statement.ts'
import * as store from './store.ts'
import { type JobName, jobName } from './store.ts'
import { type Telling, tellingOf } from './telling.ts'

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
    const old = (await this.#runsOf(tx, row)).filter((run) => run.row.start_ms < baseMs)
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
    await store.saveJobs(tx, [await this.#workOut(tx, next)])
  }

  /** Periods that follow from those runs; answers whether they could be taken, for the base that they belong to. */
  async addPast(tx: Db, name: JobName, baseMs: number, past: readonly DatedFact[]): Promise<boolean> {
    const [row] = await store.lockKnownJobs(tx, name)
    if (row === undefined || baseMs > row.base_ms) return false
    if (baseMs < row.base_ms) return true
    const before = await readBase(tx, row)
    await writeBase(tx, row, await withPast(tx, row, before, past), baseMs)
    await store.saveJobs(tx, [await this.#workOut(tx, row)])
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
    const rows: JobRow[] = []
    for (const { row } of stale) rows.push(await this.#workOut(tx, row))
    await store.saveJobs(tx, rows)
  }

  async #turn(tx: Db, books: readonly JobBook[]): Promise<void> {
    const [ending, beginning] = [books.filter(hasEnds), books.filter((book) => !hasEnds(book))]
    await insertRows(
      tx,
      beginning.flatMap(({ row, turns }) => turns.flatMap((turn) => begunRows(row, turn)))
    )
    for (const { row, turns } of ending) {
      for (const turn of turns) {
        if ('ends' in turn) await endRows(tx, row, turn)
        else await insertRows(tx, begunRows(row, turn))
      }
    }
  }

  /** Works out all periods of a job from its runs, and brings the rows in line. */
  async #workOut(tx: Db, row: JobRow): Promise<JobRow> {
    const spoken = (await this.#runsOf(tx, row)).map(spokenOf)
    const base = row.base_ms === 0 ? NO_BASE : await readBase(tx, row)
    const wanted = periodsOf(spoken, base)
    const existing = await rowsOf(tx, row)
    await this.#bringInLine(
      tx,
      row,
      existing.filter((one) => !isOver(one.ended_ms, row.base_ms)),
      wanted
    )
    const open = statementOf(
      [...wanted].filter(([, periods]) => periods.at(-1)?.endedMs === null).map(([fact]) => fact)
    )
    await store.saveStatement(tx, { job: row.job, statement: open })
    const newest = spoken.reduce((a, b) => (isNewer(b, a) ? b : a), { id: '', startMs: 0 })
    const whole = spoken.filter(({ wholeMs }) => wholeMs !== null).map(({ startMs }) => startMs)
    return {
      ...row,
      newest_run: newest.id,
      newest_ms: newest.startMs,
      whole_ms: whole.length === 0 ? base.wholeMs : max(whole),
      open: open.hash,
      closed_ms: max([...wanted.values()].flat().map(({ endedMs }) => endedMs ?? 0))
    }
  }

  async #runsOf(tx: Db, job: JobName): Promise<KnownRun[]> {
    const rows = await store.runsOf(tx, job)
    const hashes = [...new Set(rows.map(({ statement }) => statement))]
    const statements = await this.#statements.find(
      tx,
      hashes.map((hash) => ({ job: job.job, hash }))
    )
    return rows.map((row) => ({ row, statement: statements.get(row.statement) ?? NOTHING }))
  }

  async #bringInLine(tx: Db, job: JobRow, existing: readonly FactRow[], wanted: Map<string, Period[]>): Promise<void> {
    const missing = new Map<string, FactRow>()
    for (const [fact, periods] of wanted) {
      for (const period of periods) {
        const row = rowOf(job, fact, lastingOf(period, job.whole_runs))
        missing.set(identityOf(row), row)
      }
    }
    for (const row of existing) {
      if (!missing.delete(identityOf(row))) await deleteRow(tx, row)
    }
    await insertRows(tx, [...missing.values()])
  }
}

const openOf = ({ job, open }: JobRow) => ({ job, hash: open })
const max = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), 0)

const identityOf = (row: FactRow): string =>
  `${factOf(row)} ${row.started_ms} ${row.ended_ms} ${row.seen_ms} ${row.runs}`

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

const hasEnds = ({ turns }: JobBook): boolean => turns.some((turn) => 'ends' in turn)

/** What runs say and what holds, but for that which held before: most runs say the same as the last one. */
function newStatements({ row, touched, open, isStale, heldFirst }: JobBook): store.JobStatement[] {
  const said = [...touched].map(({ statement }) => statement)
  return (isStale ? said : [...said, open])
    .filter(({ hash }) => hash !== heldFirst || hash === NOTHING.hash)
    .map((statement) => ({ job: row.job, statement }))
}

function begunRows(job: JobRow, turn: Turn): FactRow[] {
  if ('ends' in turn) return []
  const lasting = { started_ms: turn.startedMs, ended_ms: null, seen_ms: null, runs: turn.runs }
  return turn.begins.map((fact) => rowOf(job, fact, lasting))
}

function distinct(statements: readonly store.JobStatement[]): store.JobStatement[] {
  return [...new Map(statements.map((one) => [`${one.job} ${one.statement.hash}`, one])).values()]
}
