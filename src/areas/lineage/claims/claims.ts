import type { Db } from '../../../engines/metadata/index.ts'
import type { JobRow } from '../migrations.ts'
import { nodeKey } from '../references.ts'
import type { Sighting } from '../sighting.ts'
import { deleteRow, endRows, type FactRow, factOf, insertRows, lastingOf, rowOf, rowsOf } from './fact-rows.ts'
import { JobBook, type KnownRun, type Turn, wholeMsOf } from './job-book.ts'
import { isNewer, type Period, periodsOf, type SpokenRun } from './periods.ts'
import { NOTHING, type Statement, statementOf } from './statement.ts'
import * as store from './store.ts'
import { jobName } from './store.ts'

/** Who claims what: takes in what runs say, and keeps the periods in which each edge and each column held. */
export class Claims {
  readonly #statements = new store.Statements()

  async take(tx: Db, sightings: readonly Sighting[]): Promise<void> {
    const books = await this.#open(tx, sightings)
    for (const sighting of sightings.toSorted((a, b) => a.run.timeMs - b.run.timeMs)) {
      books.get(nameOf(sighting))?.take(sighting)
    }
    await this.#save(
      tx,
      [...books.values()].filter(({ touched }) => touched.size > 0)
    )
  }

  async #open(tx: Db, sightings: readonly Sighting[]): Promise<Map<string, JobBook>> {
    const fresh = new Map(sightings.map((sighting) => [nameOf(sighting), firstJob(sighting)]))
    const jobs = await store.lockJobs(tx, [...fresh.values()])
    const wanted = sightings.map(({ job, provenance, run }) => ({
      job: nodeKey(job.reference),
      how: provenance.how,
      id: run.id
    }))
    const rows = await store.findRuns(tx, wanted)
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
    const said = books.flatMap(({ row, touched }) => [...touched].map(({ statement }) => ({ job: row.job, statement })))
    const open = books.filter(({ isStale }) => !isStale).map((book) => ({ job: book.row.job, statement: book.open }))
    const runs = books.flatMap(({ touched }) => [...touched].map(({ row }) => row))
    await this.#statements.save(tx, distinct([...said, ...open]))
    await store.saveRuns(tx, runs)
    await this.#turn(
      tx,
      books.filter(({ isStale }) => !isStale)
    )
    const rows: JobRow[] = []
    for (const book of books) rows.push(book.isStale ? await this.#workOut(tx, book.row) : book.row)
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
    const runs = await this.#runsOf(tx, row)
    const spoken = runs.map((run) => ({
      id: run.row.id,
      startMs: run.row.start_ms,
      wholeMs: wholeMsOf(run),
      facts: run.statement.facts
    }))
    const whole = runs.filter((run) => wholeMsOf(run) !== null)
    const existing = await rowsOf(tx, row)
    const frozen = existing.filter(({ started_ms }) => started_ms < row.base_ms)
    const wanted = periodsOf([...before(row, frozen, spoken), ...spoken])
    await this.#bringInLine(
      tx,
      row,
      existing.filter((one) => !isOver(one, row)),
      wanted
    )
    const open = statementOf(
      [...wanted].filter(([, periods]) => periods.at(-1)?.endedMs === null).map(([fact]) => fact)
    )
    await this.#statements.save(tx, [{ job: row.job, statement: open }])
    const newest = spoken.reduce((a, b) => (isNewer(b, a) ? b : a))
    const ends = [...wanted.values()].flat().map(({ endedMs }) => endedMs ?? 0)
    return {
      ...row,
      newest_run: newest.id,
      newest_ms: newest.startMs,
      whole_ms: whole.length === 0 ? null : max(whole.map((run) => run.row.start_ms)),
      open: open.hash,
      closed_ms: max(ends)
    }
  }

  async #runsOf(tx: Db, job: store.JobName): Promise<KnownRun[]> {
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

const nameOf = ({ job, provenance }: Sighting) => jobName({ job: nodeKey(job.reference), how: provenance.how })
const openOf = ({ job, open }: JobRow) => ({ job, hash: open })
const max = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), 0)

/** It ended before the oldest runs that are kept, and so does not depend on them. */
const isOver = ({ started_ms, ended_ms }: FactRow, { base_ms }: JobRow): boolean =>
  started_ms < base_ms && ended_ms !== null && ended_ms <= base_ms

/** What held when the oldest runs that are kept began, as runs that named it when it started. */
function before(job: JobRow, frozen: readonly FactRow[], kept: readonly SpokenRun[]): SpokenRun[] {
  return frozen
    .filter((row) => !isOver(row, job))
    .map((row) => {
      const fact = factOf(row)
      const runs = row.ended_ms === null ? job.whole_runs - row.runs : row.runs
      const counted = kept.filter(({ facts, wholeMs }) => wholeMs !== null && facts.has(fact)).length
      return {
        id: '',
        startMs: row.started_ms,
        wholeMs: null,
        facts: new Set([fact]),
        runs: Math.max(0, runs - counted)
      }
    })
}

const identityOf = (row: FactRow): string =>
  `${factOf(row)} ${row.started_ms} ${row.ended_ms} ${row.seen_ms} ${row.runs}`

function firstJob({ job, provenance }: Sighting): JobRow {
  return {
    job: nodeKey(job.reference),
    how: provenance.how,
    who: provenance.who,
    newest_run: '',
    newest_ms: 0,
    runs: 0,
    whole_runs: 0,
    whole_ms: null,
    open: NOTHING.hash,
    closed_ms: -1,
    base_ms: 0
  }
}

const hasEnds = ({ turns }: JobBook): boolean => turns.some((turn) => 'ends' in turn)

function begunRows(job: JobRow, turn: Turn): FactRow[] {
  if ('ends' in turn) return []
  const lasting = { started_ms: turn.startedMs, ended_ms: null, seen_ms: null, runs: turn.runs }
  return turn.begins.map((fact) => rowOf(job, fact, lasting))
}

function distinct(statements: readonly { job: string; statement: Statement }[]) {
  return [...new Map(statements.map((one) => [`${one.job} ${one.statement.hash}`, one])).values()]
}
