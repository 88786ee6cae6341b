import { sql } from 'kysely'
import { slices } from '../../../engines/metadata/index.ts'
import { type Direction, heldAt, isOneOf } from '../graph/edge-reader.ts'
import { joinedWith } from '../graph/joined.ts'
import { type GraphReader, unstoredEdges } from '../graph/reader.ts'
import type { EdgeRow, MappingRow } from '../migrations.ts'
import type { MappingKind } from '../sighting.ts'

/** A column of data, by the key of its node; an empty column is all of the data, or which rows they have. */
export interface Place {
  readonly node: string
  readonly column: string
}

export const placeName = ({ node, column }: Place): string => `${node} ${column}`

const PLACES_AT_ONCE = 500

export interface MappingQuestion {
  readonly direction: Direction
  readonly atMs: number
  readonly kinds: readonly MappingKind[]
  /** Rows that are read at most. */
  readonly limit: number
}

/** The mappings that leave places in a direction: those of the column, and those of all of its data. */
export async function mappingsAt(
  reader: GraphReader,
  places: readonly Place[],
  { limit, ...question }: MappingQuestion
): Promise<MappingRow[]> {
  const wholes = [...new Set(places.filter(({ column }) => column === '').map(({ node }) => node))]
  const isWhole = new Set(wholes)
  const pairs = new Map<string, Place>()
  for (const { node, column } of places) {
    if (isWhole.has(node)) continue
    for (const place of [
      { node, column },
      { node, column: '' }
    ])
      pairs.set(placeName(place), place)
  }
  const found: MappingRow[] = []
  for (const some of slices(wholes, PLACES_AT_ONCE)) {
    if (found.length < limit) found.push(...(await ofWholes(reader, some, question, limit - found.length)))
  }
  for (const some of slices([...pairs.values()], PLACES_AT_ONCE)) {
    if (found.length < limit) found.push(...(await ofPlaces(reader, some, question, limit - found.length)))
  }
  return found
}

type Question = Omit<MappingQuestion, 'limit'>

const nodeOf = (direction: Direction) => sql.ref(direction === 'downstream' ? 'from_node' : 'to_node')

/** In one order always, so that an answer in parts fits together. */
const ORDER = sql`from_node, from_column, to_node, to_column, kind, job, how, started_ms`

async function ofWholes(reader: GraphReader, nodes: readonly string[], asked: Question, limit: number) {
  const { rows } = await sql<MappingRow>`
    select * from lineage_mappings where ${isOneOf(reader, nodeOf(asked.direction), nodes)} and ${ofQuestion(reader, asked)}
    order by ${ORDER} limit ${limit}`.execute(reader.db)
  return rows
}

async function ofPlaces(reader: GraphReader, places: readonly Place[], asked: Question, limit: number) {
  const columns = asked.direction === 'downstream' ? ['from_node', 'from_column'] : ['to_node', 'to_column']
  const keys = places.map(({ node, column }) => [node, column])
  const { rows } = await sql<MappingRow>`
    select lineage_mappings.* from ${joinedWith(reader, 'lineage_mappings', columns, keys)}
    where ${ofQuestion(reader, asked)} order by ${ORDER} limit ${limit}`.execute(reader.db)
  return rows
}

const ofQuestion = (reader: GraphReader, { atMs, kinds }: Question) =>
  sql`${heldAt(atMs)} and ${isOneOf(reader, sql.ref('kind'), kinds)}`

/** Edges between names of the same data, or of some of the same, which every column goes along. */
export async function namesakesOf(
  reader: GraphReader,
  nodes: readonly string[],
  { direction, atMs }: Pick<Question, 'direction' | 'atMs'>
): Promise<EdgeRow[]> {
  const found = unstoredEdges(reader, nodes, direction === 'downstream' ? 'from_node' : 'to_node')
  for (const some of slices(nodes, PLACES_AT_ONCE)) {
    const { rows } = await sql<EdgeRow>`
      select * from lineage_edges
      where ${isOneOf(reader, nodeOf(direction), some)} and type in ('same', 'renamed', 'overlaps') and ${heldAt(atMs)}
      order by from_node, to_node, how, started_ms`.execute(reader.db)
    found.push(...rows)
  }
  return found
}
