import type { DuckDBConnection } from '@duckdb/node-api'
import { BoundedMap } from '../../../engines/bounded-map.ts'
import type { PipelineNode, SelectType } from '../contract/node-type.ts'
import { ROW } from '../contract/source.ts'
import { type Column, columnsOf, exactColumnsOf, signatureOf } from '../duckdb/columns.ts'

export interface SelectNode {
  readonly node: PipelineNode
  readonly type: SelectType
}

interface Given {
  readonly sql: string
  readonly numbered: string
  readonly columns: readonly Column[]
}

const MAX_KNOWN_SHAPES = 1000

/** The statements of nodes that are a SELECT over what they are given, and the columns that these give. */
export class Selects {
  readonly #database: DuckDBConnection
  /** The columns that nodes speak of, and `input` where one speaks of records as a whole; by node. */
  readonly #spoken: ReadonlyMap<string, readonly string[]>
  /** Columns by node and those of its input; a new one begins where records come in ever new shapes. */
  readonly #known = new BoundedMap<string, readonly Column[]>(MAX_KNOWN_SHAPES)

  constructor(database: DuckDBConnection, spoken: ReadonlyMap<string, readonly string[]>) {
    this.#database = database
    this.#spoken = spoken
  }

  of({ node, type }: SelectNode, { sql, columns }: Pick<Given, 'sql' | 'columns'>): string {
    const [id = ''] = node.inputs
    return type.select(node.config as never, [{ id, from: `(${sql}) AS input`, columns, also: '' }])
  }

  /** The same with `ROW`, which an expression that speaks of the record as a whole must not see. */
  numbered({ node, type }: SelectNode, { numbered, columns }: Pick<Given, 'numbered' | 'columns'>): string {
    const [id = ''] = node.inputs
    const isFilter = type.accounting === 'filters'
    const isOfWhole = this.isOfWhole(node)
    const apart = `(SELECT * EXCLUDE (${ROW}) FROM (${numbered})) AS input POSITIONAL JOIN (SELECT ${ROW} FROM (${numbered})) AS numbers`
    const from = isOfWhole ? apart : `(${numbered}) AS input`
    const also = isFilter && !isOfWhole ? '' : `, ${ROW}`
    return type.select(node.config as never, [{ id, from, columns, also }])
  }

  /** Whether an expression of the node speaks of the record as a whole. */
  isOfWhole(node: PipelineNode): boolean {
    return this.#spoken.get(node.id)?.includes('input') === true
  }

  /** They never change while the pipeline runs. */
  async columnsAfter({ node, type }: SelectNode, sql: string, given: readonly Column[]): Promise<readonly Column[]> {
    const key = `${node.id}\n${signatureOf(given)}`
    const found = this.#known.get(key)
    if (found !== undefined) return found
    const hasNothing = given.some((column) => column.type === '"NULL"')
    const made = await (hasNothing ? exactColumnsOf : columnsOf)(this.#database, sql)
    const columns = withOptional(made, given, { node, type })
    this.#known.set(key, columns)
    return columns
  }
}

/** Columns that nobody has spoken of stay such, as long as a node lets them through as they are. */
function withOptional(columns: Column[], given: readonly Column[], { node, type }: SelectNode): readonly Column[] {
  if (type.accounting === 'reshapes') return columns
  const made = new Set(Object.keys((node.config.select as object | undefined) ?? {}).map((name) => name.toLowerCase()))
  const optional = new Set(given.filter(({ isOptional }) => isOptional).map(({ name }) => name.toLowerCase()))
  return columns.map((column) => {
    const lower = column.name.toLowerCase()
    return optional.has(lower) && !made.has(lower) ? { ...column, isOptional: true } : column
  })
}
