import type { DataPlane } from '../../../data/plane.ts'
import type { ColumnPlace } from '../../lineage/index.ts'
import type { Columns } from '../evaluation/columns.ts'
import { DATASET } from '../evaluation/compile.ts'
import { readCondition } from './condition.ts'
import type { RuleConfig } from './schema.ts'

/** Columns that a query names; one that names more, or all, may look at any. */
const MAX_TOLD = 100

/** The columns of the data, and of those that they are compared with; undefined where they can't be read now. */
export interface KnownColumns {
  readonly columns: Columns | undefined
  readonly others: Columns | undefined
}

interface Asked {
  readonly dataset: string
  readonly config: RuleConfig
}

/**
 * The columns that a rule looks at, as the data call them. One that is null is all of the data: it may look at any. Nothing
 * where the rule is about no columns, or nobody knows which.
 */
export async function columnsLookedAt(
  plane: Pick<DataPlane, 'lineage'>,
  { dataset, config }: Asked,
  { columns, others }: KnownColumns,
  signal: AbortSignal
): Promise<ColumnPlace[]> {
  const { column, columns: several = [], to } = config
  const named = [...(column === undefined ? [] : [column]), ...several]
  const inSql = await columnsInSql(plane, config, columns, signal)
  const own = [...spelt(named, columns), ...inSql]
  const found = [
    ...(own.every((one) => one === null) ? [] : placesIn(dataset, own)),
    ...(to === undefined ? [] : placesIn(to.dataset, spelt([to.column], others)))
  ]
  return [...new Map(found.map((place) => [JSON.stringify(place), place])).values()]
}

const placesIn = (reference: string, columns: readonly (string | null)[]): ColumnPlace[] =>
  columns.map((column) => ({ reference, column }))

/** SQL takes upper and lower case alike: where the data are not there, a name may stand for one that is written otherwise. */
const spelt = (names: readonly string[], columns: Columns | undefined): (string | null)[] =>
  names.flatMap((name) => columns?.find(name)?.name ?? [name, null])

/** Those that the SQL of a user is about. */
async function columnsInSql(
  plane: Pick<DataPlane, 'lineage'>,
  { where, query }: RuleConfig,
  columns: Columns | undefined,
  signal: AbortSignal
): Promise<(string | null)[]> {
  if (where === undefined && query === undefined) return []
  if (columns === undefined) return [null]
  const names = columns.all.map(({ name }) => name)
  if (where !== undefined) return (await readCondition(plane, where, names, signal)).columns?.slice() ?? [null]
  const { rows, outputs, notUnderstood } = await plane.lineage({
    sql: query as string,
    known: { [DATASET]: names },
    signal
  })
  const sources = [...rows, ...outputs.flatMap(({ from }) => from)]
  if (notUnderstood.length > 0 || sources.some(({ table }) => table !== DATASET)) return [null]
  const found = [...new Set(sources.map(({ column }) => column))]
  return found.length < names.length && found.length <= MAX_TOLD ? found : [null]
}
