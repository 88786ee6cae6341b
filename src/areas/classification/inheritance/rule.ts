import { isMasked } from '../../../data/mask.ts'
import type { Inflow, InflowKind } from '../../lineage/index.ts'
import type { Given } from './labelled.ts'

/** A place on a way, and how the way came there. */
export interface Step {
  readonly resource: string
  /** Empty for all of the data. */
  readonly column: string
  /** `given` where the way begins. */
  readonly kind: InflowKind | 'given'
  /** The reference of the job that brought it there. */
  readonly job: string | null
}

/** A level on its way from a label to some data; the last step is where it is now. */
export interface Way {
  readonly level: string
  /** The label that it comes from. */
  readonly label: string
  readonly path: readonly Step[]
}

/** A level that data has because of where it comes from. */
export interface Inherited extends Way {
  readonly column: string
  /** Whether it came along names that have data in common, and so goes to no further such names. */
  readonly isPart: boolean
  /** Whether it is the one that counts for its column. */
  readonly isShown: boolean
}

/** What is known of some data: the levels that it was given, and those that it inherits. */
export interface Held {
  readonly reference: string
  readonly given: readonly Given[]
  readonly inherited: readonly Inherited[]
}

/** Steps that a level is followed at most. */
export const MAX_STEPS = 200

/** How strict levels are; a level that is not there any more counts for nothing. */
export type Ranks = ReadonlyMap<string, number>

/** What the rule reads beside the inflows: nodes and jobs by their keys. */
export interface Sources {
  readonly ranks: Ranks
  readonly held: ReadonlyMap<string, Held>
  /** The references of jobs. */
  readonly jobs: ReadonlyMap<string, string>
}

/**
 * What data inherits from all that comes into it. Of several ways to a column the strictest counts, of those the shortest, of those
 * the first in the order of names. A way never comes to the same place twice: so a level that nothing brings any more
 * leaves a circle.
 */
export function inheritedOf(reference: string, inflows: readonly Inflow[], sources: Sources): Inherited[] {
  const [wholes, parts] = [new Map<string, Way>(), new Map<string, Way>()]
  for (const inflow of inflows) {
    const held = sources.held.get(inflow.from)
    if (held === undefined) continue
    const isPart = inflow.kind === 'overlaps'
    const best = isPart ? parts : wholes
    const job = inflow.job === '' ? null : (sources.jobs.get(inflow.job) ?? inflow.job)
    for (const { column, way } of leaving(held, inflow, sources.ranks)) {
      const arrival = { resource: reference, column, kind: inflow.kind, job }
      const next = { ...way, path: [...way.path, arrival] }
      const known = best.get(column)
      if (known !== undefined && compareWays(known, next, sources.ranks) <= 0) continue
      if (!isRound(next)) best.set(column, next)
    }
  }
  return [...new Set([...wholes.keys(), ...parts.keys()])].sort().flatMap((column) => {
    const [whole, part] = [wholes.get(column), parts.get(column)]
    const isFirst = part === undefined || (whole !== undefined && compareWays(whole, part, sources.ranks) <= 0)
    return [
      ...(whole === undefined ? [] : [{ ...whole, column, isPart: false, isShown: isFirst }]),
      ...(part === undefined || isFirst ? [] : [{ ...part, column, isPart: true, isShown: true }])
    ]
  })
}

/** The ways that go on along an inflow, each with the column that it comes to. */
function leaving(held: Held, { kind, fromColumn, toColumn }: Inflow, ranks: Ranks): { column: string; way: Way }[] {
  const ways = waysOf(held, kind === 'overlaps', ranks)
  if (kind === 'same' || kind === 'renamed' || kind === 'overlaps') return ways
  return ways
    .filter(({ column }) => fromColumn === '' || column === '' || isMasked([column], fromColumn))
    .map(({ way }) => ({ column: toColumn, way }))
}

/** All levels of data; without those of parts where they go to further parts. */
function waysOf({ reference, given, inherited }: Held, isPart: boolean, ranks: Ranks): { column: string; way: Way }[] {
  const own = given.flatMap(({ id, columns, level }) =>
    (columns.length === 0 ? [''] : columns).map((column) => {
      const path: Step[] = [{ resource: reference, column, kind: 'given', job: null }]
      return { column, way: { level, label: id, path } }
    })
  )
  const others = inherited.filter((one) => (isPart ? !one.isPart : one.isShown))
  const carried = others.map(({ column, level, label, path }) => ({ column, way: { level, label, path } }))
  return [...own, ...carried].filter(({ way }) => ranks.has(way.level) && way.path.length <= MAX_STEPS)
}

/** Whether a way has come to where it was before, or to what its label is given to. */
function isRound({ path }: Way): boolean {
  const here = path.at(-1) as Step
  const [first] = path as [Step]
  if (first.resource === here.resource && (first.column === '' || first.column === here.column)) return true
  const isHere = ({ resource, column, kind }: Step) =>
    resource === here.resource && column === here.column && (kind === 'overlaps') === (here.kind === 'overlaps')
  return path.slice(1, -1).some(isHere)
}

/** Less than 0 where the first counts: by strictness, length, and then names from the end. */
function compareWays(a: Way, b: Way, ranks: Ranks): number {
  return (
    (ranks.get(b.level) ?? -1) - (ranks.get(a.level) ?? -1) ||
    a.path.length - b.path.length ||
    compareTexts(endOf(a), endOf(b))
  )
}

/** What two ways of one length to the same place differ in: where they came from last, and how. */
function endOf({ path, label }: Way): string[] {
  const [before, here] = [path.at(-2) ?? (path[0] as Step), path.at(-1) as Step]
  return [before.resource, before.column, here.kind, here.job ?? '', label]
}

function compareTexts(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((text, index) => text !== b[index])
  return at === -1 ? 0 : (a[at] as string) < (b[at] as string) ? -1 : 1
}
