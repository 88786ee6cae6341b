import type { Claim } from '../graph/details.ts'
import type { Direction } from '../graph/edge-reader.ts'
import type { GraphReader } from '../graph/reader.ts'
import type { EdgeRow, MappingRow } from '../migrations.ts'
import type { MappingKind } from '../sighting.ts'
import { mappingsAt, namesakesOf, type Place, placeName } from './mapping-reader.ts'

/** What becomes of values. */
export const DIRECT: readonly MappingKind[] = ['identity', 'computed', 'masked']
/** What decides about rows. */
export const INFLUENCES: readonly MappingKind[] = ['filtered', 'joined', 'grouped', 'sorted']

/** One column has to do with another, with everybody who says so. */
export interface ColumnStep {
  readonly from: Place
  readonly to: Place
  readonly kind: MappingKind
  /** The key of the job; empty where none is between the two. */
  readonly job: string
  readonly claims: Claim[]
  /** Whether the two have some data in common, by their names. */
  readonly isPart?: boolean
}

export interface FoundColumn extends Place {
  /** Mappings from the root. */
  readonly distance: number
  /** The steps that leave it. */
  readonly steps: ColumnStep[]
  /** How it was first met; none for the root. */
  readonly by?: { readonly before: FoundColumn; readonly step: ColumnStep }
}

export interface ColumnWalk {
  readonly root: Place
  readonly direction: Direction
  readonly atMs: number
  readonly kinds: readonly MappingKind[]
  readonly hasBudget: (columns: number) => boolean
  /** Ends the walk where it is true. */
  readonly isEnd?: (place: Place) => boolean
}

export interface WalkedColumns {
  /** The nearest first, the root before all. */
  readonly columns: ReadonlyMap<string, FoundColumn>
  readonly end: FoundColumn | undefined
  /** Whether it was given up before everything was looked at. */
  readonly isGivenUp: boolean
}

/** Mappings that one walk reads. */
const MAX_MAPPINGS = 200_000

/**
 * Goes from column to column. A mapping is followed from its column; one of all of the data, from any column of them;
 * and where all of the data were come to, every mapping of them is followed.
 */
export async function walkColumns(reader: GraphReader, walk: ColumnWalk): Promise<WalkedColumns> {
  const root: FoundColumn = { ...walk.root, distance: 0, steps: [] }
  const columns = new Map([[placeName(root), root]])
  let left = MAX_MAPPINGS
  for (let border = [root]; border.length > 0; ) {
    const rows = await mappingsAt(reader, border, { ...walk, limit: left + 1 })
    left -= rows.length
    const nodes = [...new Set(border.map(({ node }) => node))].sort()
    const steps = stepsOf(rows)
    const byNode = Map.groupBy(steps, (step) => near(step, walk).node)
    const byPlace = Map.groupBy(steps, (step) => placeName(near(step, walk)))
    const namesakes = Map.groupBy(await namesakesOf(reader, nodes, walk), (row) => nearNode(row, walk))
    const next: FoundColumn[] = []
    for (const place of border) {
      const whole = placeName({ ...place, column: '' })
      const own = place.column === '' ? [byNode.get(place.node)] : [byPlace.get(placeName(place)), byPlace.get(whole)]
      for (const some of own) for (const step of some ?? []) place.steps.push(step)
      place.steps.push(...alongNames(namesakesFor(place, namesakes), place.column))
      for (const step of place.steps) {
        const far = walk.direction === 'downstream' ? step.to : step.from
        if (columns.has(placeName(far))) continue
        const found: FoundColumn = { ...far, distance: place.distance + 1, steps: [], by: { before: place, step } }
        if (walk.isEnd?.(far)) return { columns, end: found, isGivenUp: false }
        if (!walk.hasBudget(columns.size)) return { columns, end: undefined, isGivenUp: true }
        columns.set(placeName(far), found)
        next.push(found)
      }
    }
    if (left < 0) return { columns, end: undefined, isGivenUp: true }
    border = next
  }
  return { columns, end: undefined, isGivenUp: false }
}

const near = ({ from, to }: ColumnStep, { direction }: ColumnWalk): Place => (direction === 'downstream' ? from : to)
const nearNode = (row: EdgeRow, { direction }: ColumnWalk): string =>
  direction === 'downstream' ? row.from_node : row.to_node

function stepsOf(rows: readonly MappingRow[]): ColumnStep[] {
  const steps = new Map<string, ColumnStep>()
  for (const row of rows) {
    const { from_node, from_column, to_node, to_column, kind, job } = row
    const name = JSON.stringify([from_node, from_column, to_node, to_column, kind, job])
    const from = { node: from_node, column: from_column }
    steps
      .getOrInsertComputed(name, () => ({ from, to: { node: to_node, column: to_column }, kind, job, claims: [] }))
      .claims.push(row)
  }
  return [...steps.values()]
}

/** From what is a part of other data, or contains them, the way leads to no further parts. */
function namesakesFor({ node, by }: FoundColumn, namesakes: ReadonlyMap<string, EdgeRow[]>): EdgeRow[] {
  const all = namesakes.get(node) ?? []
  return by?.step.isPart ? all.filter(({ type }) => type !== 'overlaps') : all
}

/** Another name of the same data has the same columns. */
function alongNames(rows: readonly EdgeRow[], column: string): ColumnStep[] {
  const steps = new Map<string, ColumnStep>()
  for (const row of rows) {
    const [from, to] = [
      { node: row.from_node, column },
      { node: row.to_node, column }
    ]
    const name = `${row.from_node} ${row.to_node}`
    const isPart = row.type === 'overlaps'
    steps
      .getOrInsertComputed(name, () => ({ from, to, kind: 'identity', job: '', claims: [], isPart }))
      .claims.push(row)
  }
  return [...steps.values()]
}

/**
 * The columns to which the value of the root comes as it is, or as a part of another. What has come to all of some data
 * without a mask has come to each of their columns.
 */
export function unmaskedOf({ columns }: WalkedColumns, { root, direction }: ColumnWalk): (place: Place) => boolean {
  const reach = (isWay: (step: ColumnStep) => boolean) => {
    const met = new Set([placeName(root)])
    for (const name of met) {
      for (const step of columns.get(name)?.steps ?? []) {
        if (isWay(step)) met.add(placeName(direction === 'downstream' ? step.to : step.from))
      }
    }
    return met
  }
  const values = reach(({ kind }) => kind !== 'masked' && DIRECT.includes(kind))
  const all = reach(({ kind }) => kind !== 'masked')
  return (place) => all.has(placeName(place)) || values.has(placeName({ node: place.node, column: '' }))
}
