import { sqlName } from '../../../data/relation.ts'
import { ROW } from '../contract/source.ts'
import type { Column } from '../duckdb/columns.ts'
import type { Flows } from './flows.ts'
import type { TrackedFlow } from './tracked-flow.ts'

/**
 * Records of a batch that were put through by kinds of values are brought together again, in the order in which they came. Where
 * the types of their columns are still others, those that follow one another and are alike stay together; a node for which the
 * order does not matter gets all that are alike at once.
 */
export async function reunited(
  flows: Flows,
  given: readonly TrackedFlow[],
  isOrderFree: boolean
): Promise<readonly TrackedFlow[]> {
  if (given.length < 2) return given
  const tables: TrackedFlow[] = []
  for (const flow of given) tables.push(await flows.materialized(flow))
  const groups = alike(tables.filter(({ rows }) => rows !== 0))
  const joined: TrackedFlow[] = []
  for (const { members, columns } of groups) joined.push(await flows.united(members, columns))
  return joined.length < 2 || isOrderFree ? joined : flows.alternating(joined)
}

interface Group {
  readonly members: TrackedFlow[]
  columns: readonly Column[]
}

/** Flows whose columns can be those of one table. */
function alike(tables: readonly TrackedFlow[]): Group[] {
  const groups: Group[] = []
  for (const flow of tables) {
    let found = false
    for (const group of groups) {
      const columns = bothOf(group.columns, flow.columns)
      if (columns === undefined) continue
      group.columns = columns
      group.members.push(flow)
      found = true
      break
    }
    if (!found) groups.push({ members: [flow], columns: flow.columns })
  }
  return groups
}

/** The columns of both, where none has two types; nothing (`"NULL"`) goes with any. */
function bothOf(a: readonly Column[], b: readonly Column[]): readonly Column[] | undefined {
  const columns = new Map(a.map((column) => [column.name.toLowerCase(), column]))
  for (const column of b) {
    const lower = column.name.toLowerCase()
    const known = columns.get(lower)
    if (known === undefined || known.type === '"NULL"') {
      columns.set(lower, { ...column, name: known?.name ?? column.name })
    } else if (known.name !== column.name || (column.type !== '"NULL"' && column.type !== known.type)) return undefined
  }
  return [...columns.values()]
}

/** A SELECT of the columns of all from the table of one, with NULL where it has none. */
export function widened({ columns: own, numbered }: TrackedFlow, columns: readonly Column[]): string {
  const there = new Map(own.map((column) => [column.name.toLowerCase(), column.type]))
  const list = columns.map(({ name, type }) => {
    const has = there.get(name.toLowerCase())
    const isTyped = has !== undefined && (has !== '"NULL"' || type === '"NULL"')
    return `${isTyped ? sqlName(name) : `NULL::${type === '"NULL"' ? 'VARCHAR' : type}`} AS ${sqlName(name)}`
  })
  return `SELECT ${[...list, ROW].join(', ')} FROM (${numbered})`
}
