import type { DuckDBConnection } from '@duckdb/node-api'
import type { ParsedSql } from '../../../data/sql-process/statement-check.ts'
import type { NodeType, PipelineNode } from '../contract/node-type.ts'
import { columnsIn, parseSql, selectOf } from '../duckdb/parse-sql.ts'

/** The columns that the configuration of each node speaks of, by node; of its SQL the trees are given. */
export function columnsSpokenOf(
  nodes: readonly PipelineNode[],
  types: ReadonlyMap<string, NodeType>,
  parsed: ReadonlyMap<string, ParsedSql>
): Map<string, string[]> {
  const spoken = new Map<string, string[]>()
  for (const { id, config } of nodes) {
    const type = types.get(id)
    const names = [...(type?.columns?.(config as never) ?? [])]
    for (const part of type?.sql?.(config as never) ?? []) {
      if (part.form !== 'statement') names.push(...columnsIn(parsed.get(selectOf(part)) as ParsedSql))
    }
    spoken.set(id, names)
  }
  return spoken
}

/** What is spoken of after a source, as far as its own columns can be meant; and whether it matters what others there are. */
export function expectedAfter(
  source: PipelineNode,
  nodes: readonly PipelineNode[],
  types: ReadonlyMap<string, NodeType>,
  spoken: ReadonlyMap<string, readonly string[]>
): { expectedColumns: string[]; keepsAllColumns: boolean } {
  const expected = new Set<string>()
  let keepsAll = false
  const follow = (id: string, made: ReadonlySet<string>) => {
    for (const node of nodes.filter(({ inputs }) => inputs.includes(id))) {
      const type = types.get(node.id)
      for (const name of spoken.get(node.id) ?? []) {
        if (name === 'input') keepsAll = true
        else if (!made.has(name.toLowerCase())) expected.add(name)
      }
      if (type !== undefined && !SPEAKS_OF_ITS_OWN.has(type.type)) keepsAll = true
      const { select = {}, keep = false } = node.config as { select?: object; keep?: boolean }
      if (type?.role !== 'transform' || type.accounting === 'reshapes') continue
      if (type.type === 'map' && !keep) continue
      follow(node.id, new Set([...made, ...Object.keys(select).map((name) => name.toLowerCase())]))
    }
  }
  follow(source.id, new Set())
  return { expectedColumns: [...expected], keepsAllColumns: keepsAll }
}

/** Types of nodes that look at no columns but those they speak of; what they let through, nodes after them may look at. */
const SPEAKS_OF_ITS_OWN = new Set(['map', 'filter', 'mask', 'dedupe', 'aggregate', 'series'])

/** The columns that expressions speak of, by which values are to be set. */
export async function spokenIn(
  database: DuckDBConnection,
  expressions: Readonly<Record<string, string>>
): Promise<string[]> {
  const found: string[] = []
  for (const text of Object.values(expressions)) {
    found.push(...columnsIn(await parseSql(database, selectOf({ pointer: '', text, form: 'row' }))))
  }
  return found
}
