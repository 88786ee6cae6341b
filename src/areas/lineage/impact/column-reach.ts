import { sql } from 'kysely'
import { slices } from '../../../engines/metadata/index.ts'
import { DIRECT, INFLUENCES } from '../columns/column-walk.ts'
import { mappingsAt, namesakesOf, type Place, placeName } from '../columns/mapping-reader.ts'
import { heldAt } from '../graph/edge-reader.ts'
import { joinedWith } from '../graph/joined.ts'
import type { GraphReader } from '../graph/reader.ts'
import { endsOf } from './ends.ts'
import type { Budget, Reach } from './reach.ts'

/** Mappings that are read at once. */
const MAX_MAPPINGS = 200_000

/** What is come to at one distance: columns, and nodes of which everything may be concerned. */
interface Layer {
  readonly places: Place[]
  readonly wholes: string[]
}

/**
 * Everything that a column has to do with: where its values go, and what it decides about. Of jobs that read the data and
 * of which no columns are known, everything may depend on it.
 */
export async function columnReachOf(
  reader: GraphReader,
  asked: { readonly root: Place; readonly depth: number; readonly atMs: number },
  budget: Budget
): Promise<Reach> {
  const search = new ColumnSearch(asked.root)
  for (let distance = 0; distance < asked.depth && search.isUnderWay(distance); distance++) {
    const { places, wholes } = search.layer(distance)
    for await (const ends of endsOf(reader, wholes.sort(), asked.atMs)) {
      for (const { from, key, isPart } of ends) {
        if (!isPart || search.leadsToPart(from, key)) search.addWhole(key, distance + 1)
      }
    }
    const isWhole = await followColumns(reader, search, places, distance, asked.atMs)
    if (!budget.hasTime()) return found(search, asked.depth, 'time')
    if (!isWhole || search.nodes.size > budget.maxNodes) return found(search, asked.depth, 'nodes')
  }
  return found(search, asked.depth, null)
}

/** What was met, and what is to be followed from where. */
class ColumnSearch {
  /** How far each node is. */
  readonly nodes = new Map<string, number>()
  readonly root: string
  readonly #layers = new Map<number, Layer>()
  /** Where columns, and all of a node, are followed from: at the least distance at which they were come to. */
  readonly #distances = new Map<string, number>()
  readonly #parts = new Set<string>()

  constructor(root: Place) {
    this.root = root.node
    this.addPlace(root, 0)
  }

  /** From what was come to as a part of other data the search goes on to no further parts; see `Arrivals`. */
  leadsToPart(from: string, part: string): boolean {
    if (this.#parts.has(from)) return false
    if (!this.nodes.has(part)) this.#parts.add(part)
    return true
  }

  isUnderWay(distance: number): boolean {
    return [...this.#layers.keys()].some((one) => one >= distance)
  }

  layer(distance: number): Layer {
    const { places, wholes } = this.#layers.get(distance) ?? { places: [], wholes: [] }
    this.#layers.delete(distance)
    const isHere = (place: Place) => this.#distances.get(placeName(place)) === distance
    return { places: places.filter(isHere), wholes: wholes.filter((node) => isHere({ node, column: '' })) }
  }

  meet(node: string, distance: number): void {
    if (distance < (this.nodes.get(node) ?? Number.POSITIVE_INFINITY)) this.nodes.set(node, distance)
  }

  addWhole(node: string, distance: number): void {
    this.addPlace({ node, column: '' }, distance)
  }

  addPlace(place: Place, distance: number): void {
    this.meet(place.node, distance)
    const name = placeName(place)
    if (distance >= (this.#distances.get(name) ?? Number.POSITIVE_INFINITY)) return
    this.#distances.set(name, distance)
    const layer = this.#layers.getOrInsertComputed(distance, () => ({ places: [], wholes: [] }))
    if (place.column === '') layer.wholes.push(place.node)
    else layer.places.push(place)
  }
}

/** Answers whether all mappings could be followed. */
async function followColumns(
  reader: GraphReader,
  search: ColumnSearch,
  places: readonly Place[],
  distance: number,
  atMs: number
): Promise<boolean> {
  if (places.length === 0) return true
  const asked = { direction: 'downstream', atMs } as const
  const kinds = [...DIRECT, ...INFLUENCES]
  const rows = await mappingsAt(reader, places, { ...asked, kinds, limit: MAX_MAPPINGS })
  for (const row of rows) {
    const place = { node: row.to_node, column: row.to_column }
    if (row.job === '') search.addPlace(place, distance + 1)
    else {
      search.meet(row.job, distance + 1)
      search.addPlace(place, distance + 2)
    }
  }
  const byNode = Map.groupBy(places, ({ node }) => node)
  const nodes = [...byNode.keys()].sort()
  for (const { from_node, to_node, type } of await namesakesOf(reader, nodes, asked)) {
    if (type === 'overlaps' && !search.leadsToPart(from_node, to_node)) continue
    for (const { column } of byNode.get(from_node) ?? []) search.addPlace({ node: to_node, column }, distance + 1)
  }
  for (const node of await unmappedEnds(reader, nodes, atMs)) search.addWhole(node, distance + 1)
  return rows.length < MAX_MAPPINGS
}

/** What reads the data, or is linked to them, without anybody having told of columns. */
async function unmappedEnds(reader: GraphReader, nodes: readonly string[], atMs: number): Promise<string[]> {
  const found: string[] = []
  for (const some of slices(nodes)) {
    const keys = some.map((node) => [node])
    const { rows } = await sql<{ key: string }>`
      select distinct lineage_edges.to_node as key
      from ${joinedWith(reader, 'lineage_edges', ['from_node'], keys)}
      where ${heldAt(atMs)} and type in ('reads', 'links') and not exists (
        select 1 from lineage_mappings as told
        where told.from_node = lineage_edges.from_node and told.job = lineage_edges.job
          and (told.job <> '' or told.to_node = lineage_edges.to_node)
          and told.started_ms <= ${atMs} and (told.ended_ms is null or told.ended_ms > ${atMs}))`.execute(reader.db)
    found.push(...rows.map(({ key }) => key))
  }
  return found
}

function found(search: ColumnSearch, depth: number, cutBy: Reach['cutBy']): Reach {
  const near = [...search.nodes].filter(([key, distance]) => key !== search.root && distance <= depth)
  const nodes = near.map(([key, distance]) => ({ key, distance }))
  return { nodes: nodes.sort((a, b) => a.distance - b.distance || (a.key < b.key ? -1 : 1)), cutBy }
}
