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
  /** The start of the newest run that named it. */
  readonly seenMs: number
  /** Whole runs that named it. */
  readonly runs: number
}

/** Runs are ordered by their starts; those that start together, by their identifiers. */
export const isNewer = (a: Pick<SpokenRun, 'id' | 'startMs'>, b: Pick<SpokenRun, 'id' | 'startMs'>): boolean =>
  a.startMs > b.startMs || (a.startMs === b.startMs && a.id > b.id)

/**
 * When each fact held, from all runs of a job. A fact holds from the start of a run that names it until a newer run has said
 * everything without naming it. `before` is what held by runs that are older than all of these.
 */
export function periodsOf(
  runs: readonly SpokenRun[],
  before: ReadonlyMap<string, Period> = new Map()
): Map<string, Period[]> {
  const ordered = [...runs].sort((a, b) => (isNewer(a, b) ? 1 : -1))
  const periods = new Map<string, Period[]>()
  // Facts that the same runs name have the same periods.
  const alike = new Map<string, Told>()
  const patterns = patternsOf(ordered)
  for (const fact of new Set([...patterns.keys(), ...before.keys()])) {
    const pattern = patterns.get(fact) ?? ''
    const told = alike.getOrInsertComputed(pattern, () => toldOf(ordered, (run) => run.facts.has(fact)))
    const earlier = before.get(fact)
    periods.set(fact, earlier === undefined ? told.periods : withEarlier(earlier, told))
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
  /** When what was named before all runs is over. */
  readonly endedMs: number | null
}

/** `ordered` is oldest first. */
function toldOf(ordered: readonly SpokenRun[], names: (run: SpokenRun) => boolean): Told {
  const found: Period[] = []
  let endedMs: number | null = null
  for (const run of ordered.toReversed()) {
    if (!names(run)) {
      if (run.wholeMs !== null) endedMs = earlierEnd(endedMs, run.wholeMs)
      continue
    }
    const one: Period = { startedMs: run.startMs, endedMs, seenMs: run.startMs, runs: run.wholeMs === null ? 0 : 1 }
    const later = found.at(-1)
    if (later !== undefined && touches(one, later)) found[found.length - 1] = joined(one, later)
    else if (endedMs === null || endedMs > run.startMs) found.push(one)
  }
  return { periods: found.reverse(), endedMs }
}

function withEarlier(earlier: Period, { periods, endedMs }: Told): Period[] {
  const one = { ...earlier, endedMs: earlierEnd(earlier.endedMs, endedMs) }
  const [first, ...others] = periods
  if (first === undefined) return [one]
  return touches(one, first) ? [joined(one, first), ...others] : [one, ...periods]
}

const earlierEnd = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

const touches = ({ endedMs }: Period, later: Period): boolean => endedMs === null || endedMs >= later.startedMs

const joined = (earlier: Period, later: Period): Period => ({
  startedMs: earlier.startedMs,
  endedMs: later.endedMs,
  seenMs: later.seenMs,
  runs: earlier.runs + later.runs
})
