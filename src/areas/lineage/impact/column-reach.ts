import { sql } from 'kysely'
import { slices } from '../../../engines/metadata/index.ts'
import { DIRECT, INFLUENCES } from '../columns/column-walk.ts'
import { mappingsAt, namesakesOf, type Place, placeName } from '../columns/mapping-reader.ts'
import { heldAt, isOneOf } from '../graph/edge-reader.ts'
import type { GraphReader } from '../graph/reader.ts'
import type { EdgeRow } from '../migrations.ts'
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
    if (distance >= budget.maxDepth && search.isBeyond(budget.maxDepth)) return found(search, budget.maxDepth, 'depth')
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

  /** Whether anything that was met is further away. */
  isBeyond(distance: number): boolean {
    return this.nodes.values().some((one) => one > distance)
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

/** Edges that are looked at in one statement: SQLite answers in this process, where nobody else is served meanwhile. */
const EDGES_AT_ONCE: Readonly<Record<GraphReader['dialect'], number>> = { sqlite: 2000, postgres: 20_000 }

/** What reads the data, or is linked to them, without anybody having told of columns. */
async function unmappedEnds(reader: GraphReader, nodes: readonly string[], atMs: number): Promise<string[]> {
  const found = new Set<string>()
  const most = EDGES_AT_ONCE[reader.dialect]
  for (const some of slices(nodes)) {
    let last: Lead | undefined
    do {
      const leads = await leadsAfter(reader, { nodes: some, last, most }, atMs)
      const told = await toldOf(reader, some, leads, atMs)
      for (const lead of leads) if (!told.has(nameOf(lead))) found.add(lead.to_node)
      last = leads.length < most ? undefined : leads.at(-1)
    } while (last !== undefined)
  }
  return [...found]
}

type Lead = Pick<EdgeRow, 'from_node' | 'to_node' | 'job'>

/** A job tells of data that it reads wherever they go; of links, each tells of itself. */
const nameOf = ({ from_node, to_node, job }: Lead): string => `${from_node} ${job} ${job === '' ? to_node : ''}`

interface Part {
  readonly nodes: readonly string[]
  /** The last edge that was looked at. */
  readonly last: Lead | undefined
  readonly most: number
}

/** Edges to readers and links, in the order of their ends. */
async function leadsAfter(reader: GraphReader, { nodes, last, most }: Part, atMs: number): Promise<Lead[]> {
  const isLater = last === undefined ? sql`` : sql` and (from_node, to_node) >= (${last.from_node}, ${last.to_node})`
  const { rows } = await sql<Lead>`
    select from_node, to_node, job from lineage_edges
    where ${isOneOf(reader, sql.ref('from_node'), nodes)} and ${heldAt(atMs)} and type in ('reads', 'links')${isLater}
    order by from_node, to_node, how, started_ms limit ${most}`.execute(reader.db)
  return rows
}

/** The key of no node, so that it is asked also where there are links alone. */
const NO_JOB = 'none'

/** Of which of them columns are told. They are looked for together: one by one, each would go through all that a node has. */
async function toldOf(
  reader: GraphReader,
  nodes: readonly string[],
  leads: readonly Lead[],
  atMs: number
): Promise<ReadonlySet<string>> {
  const told = new Set<string>()
  const all = new Set(leads.map(({ job }) => job))
  const orOfLinks = all.delete('') ? sql` or job = ''` : sql``
  for (const jobs of slices([NO_JOB, ...all], EDGES_AT_ONCE[reader.dialect])) {
    const { rows } = await sql<Lead>`
      select distinct from_node, job, case when job = '' then to_node else '' end as to_node from lineage_mappings
      where ${isOneOf(reader, sql.ref('from_node'), nodes)} and (${isOneOf(reader, sql.ref('job'), jobs)}${orOfLinks})
        and ${heldAt(atMs)}`.execute(reader.db)
    for (const row of rows) told.add(nameOf(row))
  }
  return told
}

function found(search: ColumnSearch, depth: number, cutBy: Reach['cutBy']): Reach {
  const near = [...search.nodes].filter(([key, distance]) => key !== search.root && distance <= depth)
  const nodes = near.map(([key, distance]) => ({ key, distance }))
  return { nodes: nodes.sort((a, b) => a.distance - b.distance || (a.key < b.key ? -1 : 1)), cutBy }
}
