import { NodeFault } from '../contract/context.ts'
import type { NodeType, PipelineNode } from '../contract/node-type.ts'
import { inputFrom, type ReadSelect, type WayInput, type Ways } from '../contract/ways.ts'
import type { Column } from '../duckdb/columns.ts'
import type { Station } from './compose.ts'
import { type QueryRead, queryStations } from './queries.ts'

export interface StationNeeds {
  /** Inputs before what they feed. */
  readonly order: readonly PipelineNode[]
  readonly types: ReadonlyMap<string, NodeType>
  /** The columns that nodes gave, by node. */
  readonly given: ReadonlyMap<string, readonly Column[]>
  /** Nodes that remember records of before, whose columns have not been seen. */
  readonly restored: ReadonlySet<string>
  /** Of sources that read by a statement, what that says. */
  readonly queries: ReadonlyMap<string, QueryRead>
  /** Reads SELECTs over inputs with these columns. */
  reading(inputs: readonly WayInput[]): ReadSelect
}

/**
 * Asks every node what it makes of columns. Of one that can't say, each column may come from any of its inputs; nothing is said
 * of one as long as some of its inputs may give columns that are not known yet, because what was said stays.
 */
export async function stationsOf({
  order,
  types,
  given,
  restored,
  queries,
  reading
}: StationNeeds): Promise<Station[]> {
  const columnsOf = new Map<string, readonly Column[]>(given)
  const stations: Station[] = []
  for (const node of order) {
    const type = types.get(node.id)
    if (type === undefined) continue
    if (type.role === 'source') {
      const columns = (given.get(node.id) ?? []).map(({ name }) => name)
      const query = queries.get(node.id)
      if (query !== undefined) {
        stations.push(...queryStations(node.id, query, columns))
        continue
      }
      const areMade = type.makesColumns?.(node.config as never) === true
      stations.push({ id: node.id, role: 'source', columns, areMade })
      continue
    }
    const inputs = node.inputs.map((id): WayInput => ({ id, columns: columnsOf.get(id) ?? [] }))
    const own = given.get(node.id)
    const isUnknown = type.role !== 'sink' && inputs.some(({ columns }) => columns.length === 0)
    const isEarly = isUnknown && (own === undefined || restored.has(node.id))
    const told = isEarly ? NO_WAYS : await waysOf(node, type, inputs, reading(inputs)).catch(unlessAtFault)
    const ways = type.role === 'sink' ? (told ?? NO_WAYS) : withGiven(told, own, isEarly ? [] : inputs)
    // Before it has given anything, what it will give is known by the rule.
    if (own === undefined) {
      columnsOf.set(
        node.id,
        ways.columns.map(({ name, type = UNKNOWN }) => ({ name, type }))
      )
    }
    stations.push({ id: node.id, role: type.role, inputs: node.inputs, ways })
  }
  return stations
}

/** A node that finds fault with the columns can't say what it makes of them; anything else is no fault of the node. */
function unlessAtFault(error: unknown): undefined {
  if (!(error instanceof NodeFault)) throw error
}

const NO_WAYS: Ways = { columns: [], rows: [] }
const UNKNOWN = 'UNKNOWN'

async function waysOf(
  { config }: PipelineNode,
  type: Exclude<NodeType, { role: 'source' }>,
  inputs: readonly WayInput[],
  read: ReadSelect
): Promise<Ways> {
  if (type.role === 'sink' || 'open' in type) return type.ways(config as never, inputs, read)
  if (type.ways !== undefined) return type.ways(config as never, inputs)
  const select = inputs.map(({ id, columns }, place) => ({ id, columns, from: inputFrom(place), also: '' }))
  return read(type.select(config as never, select))
}

/** As the records had it: columns that the rule does not know may come from anywhere, and those that never came are left out. */
function withGiven(told: Ways | undefined, given: readonly Column[] | undefined, inputs: readonly WayInput[]): Ways {
  const any = inputs.map((_, input) => ({ input, column: null }))
  const rows = told?.rows ?? any.map((from) => ({ ...from, kind: 'filtered' as const }))
  if (given === undefined) return { columns: told?.columns ?? [], rows }
  const known = new Map(told?.columns.map((way) => [way.name.toLowerCase(), way]))
  const columns = given.map(({ name, type }, place) => {
    const way = known.get(name.toLowerCase()) ?? namelessAt(told, place)
    return { name, type, from: way?.from ?? any.map((one) => ({ ...one, kind: 'computed' as const })) }
  })
  return { columns, rows }
}

/** An expression that a statement gives no name. */
function namelessAt(told: Ways | undefined, place: number) {
  const way = told?.columns[place]
  return way?.name === `#${place + 1}` ? way : undefined
}
