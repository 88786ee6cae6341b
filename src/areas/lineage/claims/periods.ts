/** A run, as far as it decides what holds when. */
export interface SpokenRun {
  readonly id: string
  readonly startMs: number
  /** From then on it has said all that it reads and writes; null where it never did. */
  readonly wholeMs: number | null
  readonly facts: ReadonlySet<string>
  /** Where it stands for several: how many of them were whole. */
  readonly runs?: number
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

/** Runs are ordered by their starts; those that start together, by their identifiers. */
export const isNewer = (a: Pick<SpokenRun, 'id' | 'startMs'>, b: Pick<SpokenRun, 'id' | 'startMs'>): boolean =>
  a.startMs > b.startMs || (a.startMs === b.startMs && a.id > b.id)

/**
 * When each fact held, from all runs of a job. A fact holds from the start of a run that names it until a newer run has said
 * everything without naming it.
 */
export function periodsOf(runs: readonly SpokenRun[]): Map<string, Period[]> {
  const ordered = [...runs].sort((a, b) => (isNewer(a, b) ? 1 : -1))
  const periods = new Map<string, Period[]>()
  // Facts that the same runs name have the same periods.
  const alike = new Map<string, Period[]>()
  for (const [fact, pattern] of patternsOf(ordered)) {
    const known = alike.get(pattern)
    const found = known ?? periodsOfPattern(ordered, (run) => run.facts.has(fact))
    if (known === undefined) alike.set(pattern, found)
    periods.set(fact, found)
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

/** `ordered` is oldest first. */
function periodsOfPattern(ordered: readonly SpokenRun[], names: (run: SpokenRun) => boolean): Period[] {
  const found: Period[] = []
  const lastWhole = lastWholeBefore(ordered)
  let endedMs: number | null = null
  let seenMs = lastWhole.at(-1) as number
  for (const [at, run] of [...ordered.entries()].toReversed()) {
    if (!names(run)) {
      if (run.wholeMs === null || (endedMs !== null && run.wholeMs >= endedMs)) continue
      endedMs = run.wholeMs
      seenMs = lastWhole[at] as number
      continue
    }
    const runs = run.runs ?? (run.wholeMs === null ? 0 : 1)
    const one: Period = { startedMs: run.startMs, endedMs, seenMs, runs }
    const later = found.at(-1)
    const isJoined = later !== undefined && (endedMs === null || endedMs >= later.startedMs)
    if (isJoined) found[found.length - 1] = joined(one, later)
    else if (endedMs === null || endedMs > run.startMs) found.push(one)
  }
  return found.reverse().map((one) => ({ ...one, seenMs: Math.max(one.startedMs, one.seenMs) }))
}

/** For each run, and for what comes after all of them, the start of the last whole run before it. */
function lastWholeBefore(ordered: readonly SpokenRun[]): number[] {
  const starts = [Number.NEGATIVE_INFINITY]
  for (const { startMs, wholeMs } of ordered) starts.push(wholeMs === null ? (starts.at(-1) as number) : startMs)
  return starts
}

const joined = (earlier: Period, later: Period): Period => ({
  startedMs: earlier.startedMs,
  endedMs: later.endedMs,
  seenMs: later.seenMs,
  runs: earlier.runs + later.runs
})
