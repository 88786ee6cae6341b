/** A run, as far as it decides what holds when. */
export interface SpokenRun {
  readonly id: string
  readonly startMs: number
  /** From then on it has said all that it reads and writes; null where it never did. */
  readonly wholeMs: number | null
  readonly facts: ReadonlySet<string>
}

/** A time during which a job was known to do something. */
export interface Period {
  readonly startedMs: number
  /** Not any more from then on; null while it lasts. */
  readonly endedMs: number | null
  /** The start of the last whole run before the one that ended it, if that is later than its own. */
  readonly seenMs: number
  /** Whole runs that named it. */
  readonly runs: number
}

/** What held by earlier runs, and the start of the newest of them that was whole. */
interface Earlier {
  readonly facts: ReadonlyMap<string, Period>
  readonly wholeMs: number | null
}

const NOTHING_EARLIER: Earlier = { facts: new Map(), wholeMs: null }

const SHORTEST_MS = 1

/** Runs are ordered by their starts; those that start together, by their identifiers. */
export const isNewer = (a: Pick<SpokenRun, 'id' | 'startMs'>, b: Pick<SpokenRun, 'id' | 'startMs'>): boolean =>
  a.startMs > b.startMs || (a.startMs === b.startMs && a.id > b.id)

/**
 * When each fact held, from all runs of a job. A fact holds from the start of a run that names it until a newer run has said
 * everything without naming it, and for a moment at least: of several runs at the same time each has done what it names. `before` is what follows from runs that are older than all of these.
 */
export function periodsOf(runs: readonly SpokenRun[], before: Earlier = NOTHING_EARLIER): Map<string, Period[]> {
  const ordered = [...runs].sort((a, b) => (isNewer(a, b) ? 1 : -1))
  const periods = new Map<string, Period[]>()
  // Facts that the same runs name have the same periods.
  const alike = new Map<string, Told>()
  const patterns = patternsOf(ordered)
  const wholeMs = before.wholeMs ?? Number.NEGATIVE_INFINITY
  for (const fact of new Set([...patterns.keys(), ...before.facts.keys()])) {
    const pattern = patterns.get(fact) ?? ''
    const told = alike.getOrInsertComputed(pattern, () => toldOf(ordered, wholeMs, (run) => run.facts.has(fact)))
    const earlier = before.facts.get(fact)
    const found = earlier === undefined ? told.periods : withEarlier(earlier, told)
    periods.set(fact, found.map(seenLater))
  }
  return periods
}

/** For each fact, which of the different sets of facts it is in. */
function patternsOf(runs: readonly SpokenRun[]): Map<string, string> {
  const patterns = new Map<string, string>()
  for (const [number, facts] of [...new Set(runs.map((run) => run.facts))].entries()) {
    for (const fact of facts) patterns.set(fact, `${patterns.get(fact) ?? ''} ${number}`)
  }
  return patterns
}

interface Told {
  readonly periods: Period[]
  /** When what was named before all runs is over, and when it was last seen then. */
  readonly endedMs: number | null
  readonly seenMs: number
}

/** `ordered` is oldest first, `wholeMs` the start of the last whole run before all of them. */
function toldOf(ordered: readonly SpokenRun[], wholeMs: number, names: (run: SpokenRun) => boolean): Told {
  const found: Period[] = []
  const lastWhole = lastWholeBefore(ordered, wholeMs)
  let endedMs: number | null = null
  let seenMs = lastWhole.at(-1) as number
  for (const [at, run] of [...ordered.entries()].toReversed()) {
    if (!names(run)) {
      if (run.wholeMs === null || (endedMs !== null && run.wholeMs >= endedMs)) continue
      endedMs = run.wholeMs
      seenMs = lastWhole[at] as number
      continue
    }
    const untilMs = endedMs === run.startMs ? endedMs + SHORTEST_MS : endedMs
    const one: Period = { startedMs: run.startMs, endedMs: untilMs, seenMs, runs: run.wholeMs === null ? 0 : 1 }
    const later = found.at(-1)
    if (later !== undefined && touches(one, later)) found[found.length - 1] = joined(one, later)
    else found.push(one)
  }
  return { periods: found.reverse(), endedMs, seenMs }
}

/** For each run, and for what comes after all of them, the start of the last whole run before it. */
function lastWholeBefore(ordered: readonly SpokenRun[], wholeMs: number): number[] {
  const starts = [wholeMs]
  for (const run of ordered) starts.push(run.wholeMs === null ? (starts.at(-1) as number) : run.startMs)
  return starts
}

function withEarlier(earlier: Period, { periods, endedMs, seenMs }: Told): Period[] {
  // Of two that end it at the same moment the newer one counts, as among runs that are kept.
  const isEnded = endedMs !== null && (earlier.endedMs === null || endedMs <= earlier.endedMs)
  const one = isEnded ? { ...earlier, endedMs, seenMs } : earlier
  const [first, ...others] = periods
  if (first === undefined) return [one]
  return touches(one, first) ? [joined(one, first), ...others] : [one, ...periods]
}

/** What began later than the last whole run was seen when it began. */
const seenLater = (one: Period): Period => ({ ...one, seenMs: Math.max(one.startedMs, one.seenMs) })

const touches = ({ endedMs }: Period, later: Period): boolean => endedMs === null || endedMs >= later.startedMs

const joined = (earlier: Period, later: Period): Period => ({
  startedMs: earlier.startedMs,
  endedMs: later.endedMs,
  seenMs: later.seenMs,
  runs: earlier.runs + later.runs
})
