import type { DuckDBConnection } from '@duckdb/node-api'
import { BoundedMap } from '../../../engines/bounded-map.ts'
import type { NodeType, PipelineNode } from '../contract/node-type.ts'
import { type Column, emptySelect, exactColumnsOf, familyOf, signatureOf } from '../duckdb/columns.ts'

const MAX_KNOWN = 1000

/** What becomes of the types of columns on their way through nodes that look at single records, without any record. */
export function typesAfter(
  database: DuckDBConnection,
  source: PipelineNode,
  nodes: readonly PipelineNode[],
  types: ReadonlyMap<string, NodeType>
): (columns: readonly Column[]) => Promise<readonly string[] | undefined> {
  const known = new BoundedMap<string, readonly string[] | undefined>(MAX_KNOWN)
  const follow = async (id: string, columns: readonly Column[], found: string[]): Promise<void> => {
    for (const node of nodes.filter(({ inputs }) => inputs.includes(id))) {
      const type = types.get(node.id)
      if (type?.role !== 'transform' || 'open' in type || type.accounting === 'reshapes') continue
      const from = `(${emptySelect(columns)}) AS input`
      const sql = type.select(node.config as never, [{ id, from, columns, also: '' }])
      const after = await exactColumnsOf(database, sql)
      found.push(...after.map((column) => familyOf(column.type)))
      await follow(node.id, after, found)
    }
  }
  return async (columns) => {
    const key = signatureOf(columns)
    if (known.has(key)) return known.get(key)
    const found: string[] = []
    const result = await follow(source.id, columns, found).then(
      () => found,
      () => undefined
    )
    known.set(key, result)
    return result
  }
}
