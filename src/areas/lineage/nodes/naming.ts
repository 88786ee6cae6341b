import type { Db } from '../../../engines/metadata/index.ts'
import { prepareLookups } from '../../../engines/prepare-rows.ts'
import type { NodeRow } from '../migrations.ts'
import { nodeKey } from '../references.ts'
import { overlapsOf } from './overlaps.ts'
import { rowOf, saveNodes } from './store.ts'

/** A node as other areas need it. */
export interface NamedNode {
  readonly key: string
  readonly reference: string
  readonly isJob: boolean
}

/** The nodes of some keys, as far as there are any. */
export async function nodesBy(db: Db, keys: readonly string[]): Promise<Map<string, NamedNode>> {
  const found = new Map<string, NamedNode>()
  const rows = await findNodes(
    db,
    keys.map((key) => ({ key }))
  )
  for (const { key, reference, kind } of rows) found.set(key, { key, reference, isJob: kind === 'job' })
  return found
}

const findNodes = prepareLookups<Pick<NodeRow, 'key'>, Pick<NodeRow, 'key' | 'reference' | 'kind'>>(
  'lineage_nodes',
  ['key'],
  (db, isGiven) => db.selectFrom('lineage_nodes').select(['key', 'reference', 'kind']).where(isGiven)
)

/** Makes nodes of data that somebody speaks of, so that they are joined to others by their names; answers their keys. */
export async function nameData(tx: Db, references: readonly string[]): Promise<string[]> {
  await saveNodes(tx, new Map(references.map((reference) => [reference, {}])))
  return references.map(nodeKey)
}

/** The keys of nodes that have data in common with data which need not be a node itself. */
export async function namesakesOfData(db: Db, reference: string): Promise<string[]> {
  const row = rowOf(reference, {})
  const edges = await overlapsOf(db, row)
  return edges.filter(({ from_node }) => from_node === row.key).map(({ to_node }) => to_node)
}
