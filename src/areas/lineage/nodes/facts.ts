import type { ColumnSeen, DataSeen, JobSeen } from '../sighting.ts'

/** What is told of a node beside its edges. */
export interface NodeFacts {
  readonly name?: string
  readonly columns?: readonly ColumnSeen[]
  readonly owners?: readonly string[]
  readonly description?: string
  /** Whether the source or the pipeline is gone that it is data of, which never comes back, whatever runs name. */
  readonly ownerGone?: boolean
  /** What a person wrote of it, which counts in place of the rest, whatever is told later. */
  readonly said?: Said
}

export type Said = Pick<NodeFacts, 'name' | 'owners' | 'description'>

/** A time in which it was deleted: until it was there again, or null where it has not been since. */
export type Absence = readonly [fromMs: number, untilMs: number | null]

/** Each fact with the time of its telling: the latest counts, whatever comes first. Of deletions, all are kept. */
export type DatedFacts = { readonly [K in keyof NodeFacts]?: readonly [ms: number, value: NodeFacts[K]] } & {
  readonly deleted?: readonly Absence[]
}

/** Deletions of a node that are kept, the latest ones. */
const MAX_ABSENCES = 20

export function dated(facts: NodeFacts, timeMs: number): DatedFacts {
  const told = Object.entries(facts).filter(([, value]) => value !== undefined)
  return Object.fromEntries(told.map(([name, value]) => [name, [timeMs, value]]))
}

/** The same whichever is first; of two facts of the same time, the one that comes later in the alphabet. */
export function merged(a: DatedFacts, b: DatedFacts): DatedFacts {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort() as (keyof DatedFacts)[]
  return Object.fromEntries(
    names.map((name) => [name, name === 'deleted' ? allOf(a.deleted, b.deleted) : later(a[name], b[name])])
  )
}

/** A deletion is known by its time, and ends when it was first heard of again. */
function allOf(a: readonly Absence[] = [], b: readonly Absence[] = []): Absence[] {
  const ends = new Map<number, number | null>()
  for (const [fromMs, untilMs] of [...a, ...b]) ends.set(fromMs, earlier(ends.get(fromMs) ?? null, untilMs))
  return [...ends].sort(([one], [other]) => one - other).slice(-MAX_ABSENCES)
}

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

/** Deletions, of which those end that were before one of the times at which it was there. */
export const endedBy = (absences: readonly Absence[], timesMs: readonly number[]): Absence[] =>
  absences.map(([fromMs, untilMs]) => [
    fromMs,
    timesMs.filter((ms) => ms > fromMs).reduce<number | null>((until, ms) => earlier(until, ms), untilMs)
  ])

/** Deletions that all were before a time at which it was made again, whatever the clocks of others said. */
export const endedAt = (absences: readonly Absence[], timeMs: number): Absence[] =>
  absences.map(([fromMs, untilMs]) => [fromMs, earlier(untilMs, Math.max(fromMs, timeMs))])

/** Since when it is gone at a time; null where it is there. */
export function goneSince({ deleted = [], ownerGone }: DatedFacts, atMs: number): number | null {
  const all: readonly Absence[] = ownerGone === undefined ? deleted : [...deleted, [ownerGone[0], null]]
  const since = all.filter(([fromMs, untilMs]) => fromMs <= atMs && (untilMs === null || untilMs > atMs))
  return since.length === 0 ? null : Math.min(...since.map(([fromMs]) => fromMs))
}

/** When something was last told of it. */
export function lastToldMs({ deleted = [], ...facts }: DatedFacts): number {
  const times = Object.values(facts).map(([ms]) => ms)
  return Math.max(0, ...times, ...deleted.map(([fromMs, untilMs]) => untilMs ?? fromMs))
}

type Dated = readonly [ms: number, value: unknown]

function later(a: Dated | undefined, b: Dated | undefined): Dated | undefined {
  if (a === undefined || b === undefined) return a ?? b
  if (a[0] !== b[0]) return a[0] > b[0] ? a : b
  return JSON.stringify(a[1]) > JSON.stringify(b[1]) ? a : b
}

/** What counts of it all. */
export function undated({ deleted: _, ...facts }: DatedFacts): NodeFacts {
  const values: NodeFacts = Object.fromEntries(Object.entries(facts).map(([name, [, value]]) => [name, value]))
  return { ...values, ...values.said }
}

export const factsOfData = ({ name, columns, owners, description }: DataSeen): NodeFacts => ({
  ...(name !== undefined && { name }),
  ...(columns && { columns }),
  ...(owners && { owners }),
  ...(description !== undefined && { description })
})

export const factsOfJob = ({ name, owners, description }: JobSeen): NodeFacts => ({
  ...(name !== undefined && { name }),
  ...(owners && { owners }),
  ...(description !== undefined && { description })
})
