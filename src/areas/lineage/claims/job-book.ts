import type { JobRow, RunRow } from '../migrations.ts'
import type { RunSeen } from '../sighting.ts'
import { isNewer, type SpokenRun } from './periods.ts'
import { type Statement, statementOf, withFacts } from './statement.ts'
import type { Telling } from './telling.ts'

/** The name of a run that says that its job is gone: it names nothing, and is whole. A job may come back, and go again. */
export const removalAt = (timeMs: number): string => `${REMOVAL}${timeMs}`
const REMOVAL = 'removed at '

/** A run with what it says. */
export interface KnownRun {
  row: RunRow
  statement: Statement
}

/** Facts begin or cease to hold. `runs` are the whole runs of the job until then. */
export type Turn =
  | { readonly begins: readonly string[]; readonly startedMs: number; readonly runs: number }
  | { readonly ends: readonly string[]; readonly endedMs: number; readonly seenMs: number; readonly runs: number }

/**
 * A completed run that names no data has told nothing of them, unless it says that the job is gone. The platform itself
 * knows what it reads and writes, and also when that is nothing.
 */
const wholeMsOf = ({ row, statement }: KnownRun): number | null =>
  statement.facts.size > 0 || row.how === 'captured' || row.id.startsWith(REMOVAL) ? row.whole_ms : null

/** A run, as far as it decides what holds when. */
export const spokenOf = (run: KnownRun): SpokenRun => ({
  id: run.row.id,
  startMs: run.row.start_ms,
  wholeMs: wholeMsOf(run),
  facts: run.statement.facts
})

/**
 * What is known of one job while sightings of it are taken in. The newest run of a job can be dealt with by what it adds to
 * that which holds already; for anything else, all runs are looked at again.
 */
export class JobBook {
  row: JobRow
  /** Everything that holds now. */
  open: Statement
  /** What begins and ends, in this order. */
  readonly turns: Turn[] = []
  readonly touched = new Set<KnownRun>()
  /** Whether everything has to be worked out from all runs. */
  isStale = false
  /** The hash of what held before anything was taken in: that statement is stored. */
  readonly heldFirst: string
  readonly #runs: Map<string, KnownRun>

  constructor(row: JobRow, open: Statement, runs: Map<string, KnownRun>) {
    this.row = row
    this.heldFirst = row.open
    this.open = open
    this.#runs = runs
  }

  /**
   * Takes in what is told of a run; answers whether it told anything new. Runs that began before those that are kept were
   * counted once, and are not counted again.
   */
  take({ who, facts, ...telling }: Telling): boolean {
    const { base_ms } = this.row
    const known = this.#runs.get(telling.run.id)
    if (known === undefined && telling.run.timeMs < base_ms) return false
    const run = { ...telling.run, timeMs: Math.max(telling.run.timeMs, base_ms) }
    const next: KnownRun =
      known === undefined
        ? { row: firstRow(this.row, run), statement: statementOf(facts) }
        : { row: { ...known.row }, statement: withFacts(known.statement, facts) }
    if (known !== undefined && !addTo(next, run) && next.statement === known.statement) return false
    next.row.statement = next.statement.hash
    this.#runs.set(run.id, next)
    if (known !== undefined) this.touched.delete(known)
    this.touched.add(next)
    this.row = { ...this.row, who, runs: this.row.runs + (known === undefined ? 1 : 0) }
    this.#follow(known, next)
    return true
  }

  #follow(before: KnownRun | undefined, now: KnownRun): void {
    const { row, statement } = now
    const newest = { id: this.row.newest_run, startMs: this.row.newest_ms }
    const here = { id: row.id, startMs: row.start_ms }
    const isFirst = this.row.newest_run === ''
    const isNewest = isFirst || row.id === newest.id || isNewer(here, newest)
    const isMoved = before !== undefined && before.row.start_ms !== row.start_ms
    const wholeMs = wholeMsOf(now)
    const wasWhole = before !== undefined && wholeMsOf(before) !== null
    const wholeRuns = this.row.whole_runs
    if (wholeMs !== null && !wasWhole) this.row.whole_runs += 1
    // Where others start at the same moment as it is whole, what they began may have lasted no time at all; not where it
    // names just what holds, which begins and ends nothing.
    const isCrowded =
      wholeMs === row.start_ms &&
      (before !== undefined || row.start_ms === newest.startMs) &&
      statement.hash !== this.open.hash
    if (!isNewest || isMoved || isCrowded || row.start_ms <= this.row.closed_ms) this.isStale = true
    if (this.isStale) return
    this.#begin(statement, row.start_ms, wasWhole ? wholeRuns - 1 : wholeRuns)
    if (wholeMs !== null) this.#end(statement, wholeMs, wholeRuns)
    this.row.newest_run = row.id
    this.row.newest_ms = row.start_ms
    if (wholeMs !== null) this.row.whole_ms = row.start_ms
  }

  #begin({ facts }: Statement, startedMs: number, runs: number): void {
    const begins = [...facts].filter((fact) => !this.open.facts.has(fact))
    if (begins.length === 0) return
    this.turns.push({ begins, startedMs, runs })
    this.#hold(withFacts(this.open, begins))
  }

  #end({ facts }: Statement, endedMs: number, runs: number): void {
    const ends = [...this.open.facts].filter((fact) => !facts.has(fact))
    if (ends.length === 0) return
    this.turns.push({ ends, endedMs, seenMs: this.row.whole_ms ?? 0, runs })
    this.#hold(statementOf([...this.open.facts].filter((fact) => facts.has(fact))))
    this.row.closed_ms = endedMs
  }

  #hold(open: Statement): void {
    this.open = open
    this.row.open = open.hash
  }
}

function firstRow({ job, how }: JobRow, run: RunSeen): RunRow {
  return {
    job,
    how,
    id: run.id,
    start_ms: run.timeMs,
    whole_ms: run.isWhole ? run.timeMs : null,
    state: run.state,
    state_ms: run.timeMs,
    error: run.error ?? null,
    statement: '',
    parent_job: run.parent?.job ?? null,
    parent_run: run.parent?.run ?? null
  }
}

/** Adds what is told of a run; answers whether that is anything new. In any order it comes to the same. */
function addTo({ row }: KnownRun, run: RunSeen): boolean {
  const before = { ...row }
  row.start_ms = Math.min(row.start_ms, run.timeMs)
  if (run.isWhole) row.whole_ms = Math.min(row.whole_ms ?? run.timeMs, run.timeMs)
  if (isLaterState([run.timeMs, run.state, run.error ?? ''], [row.state_ms, row.state, row.error ?? ''])) {
    row.state = run.state
    row.state_ms = run.timeMs
    row.error = run.error ?? null
  }
  const parent = run.parent === undefined ? undefined : `${run.parent.job} ${run.parent.run}`
  if (
    run.parent !== undefined &&
    (row.parent_job === null || (parent as string) > `${row.parent_job} ${row.parent_run}`)
  ) {
    row.parent_job = run.parent.job
    row.parent_run = run.parent.run
  }
  return (Object.keys(row) as (keyof RunRow)[]).some((key) => row[key] !== before[key])
}

type Moment = readonly [ms: number, state: RunRow['state'], error: string]
const RANKS: Record<RunRow['state'], number> = { other: 0, running: 1, aborted: 2, failed: 3, completed: 4 }

/** A run that has ended stays so, whatever else is told of it; of two ends the later one counts, then what it failed at. */
function isLaterState([aMs, a, aError]: Moment, [bMs, b, bError]: Moment): boolean {
  const [aEnds, bEnds] = [RANKS[a] > 1, RANKS[b] > 1]
  if (aEnds !== bEnds) return aEnds
  if (aMs !== bMs) return aMs > bMs
  return a === b ? aError > bError : RANKS[a] > RANKS[b]
}
