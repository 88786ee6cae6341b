import type { Period } from './counted.ts'

/** When runs named something. */
export interface Named {
  readonly how: Period['how']
  readonly startedMs: number
  readonly endedMs: number | null
  readonly seenMs: number | null
}

/** A write for which no columns are known. */
export interface Silent {
  readonly write: Period
  /** Whether they are known at other times. */
  readonly isPart: boolean
}

/**
 * The times at which runs named a write and no columns of it; `told` is when they named columns. What a run has
 * written without a word of columns stays where it is, whatever later runs tell of theirs.
 */
export function silentParts(write: Period, told: readonly Named[]): Silent[] {
  const untilMs = lastNamed(write)
  const parts: Silent[] = []
  let fromMs = write.startedMs
  for (const one of told.toSorted((a, b) => (firstNamed(a) < firstNamed(b) ? -1 : 1))) {
    const startedMs = firstNamed(one)
    if (startedMs > untilMs) break
    if (startedMs > fromMs) parts.push({ write: { ...write, startedMs: fromMs, endedMs: startedMs }, isPart: true })
    fromMs = Math.max(fromMs, lastNamed(one) + 1)
  }
  if (fromMs <= untilMs) parts.push({ write: { ...write, startedMs: fromMs }, isPart: fromMs > write.startedMs })
  return parts
}

/** The start of the first run that named it. That of a statement is not known: it comes with the end of the run. */
const firstNamed = ({ how, startedMs }: Named): number => (how === 'parsed' ? Number.NEGATIVE_INFINITY : startedMs)

/** The start of the last run that named it, as far as it said everything. */
const lastNamed = ({ startedMs, endedMs, seenMs }: Named): number =>
  endedMs === null ? Number.POSITIVE_INFINITY : Math.max(startedMs, seenMs ?? startedMs)
