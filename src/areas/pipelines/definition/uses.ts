import { parseReference } from '../../../data/reference.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { Resource, ResourceUser } from '../../../http/in-use.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { meantType, referencesIn } from '../nodes/index.ts'
import type { UseRow } from '../store/rows.ts'

const OWNERS = { object: 'bucket', series: 'catalog-source', connector: 'connector' } as const

/** What the newest definition names of other areas. Rows of one version hold its number, all others 0. */
function usesOf(pipelineId: string, nodes: readonly PipelineNode[]): UseRow[] {
  const found = new Map<string, UseRow>()
  for (const { type, id, version = 0 } of nodes.flatMap((node) => resourcesOf(node, nodes))) {
    const row = { pipeline_id: pipelineId, resource_type: type, resource_id: id, resource_version: version }
    found.set(JSON.stringify(row), row)
  }
  return [...found.values()]
}

/** No node names a pipeline, or a channel of alerts. */
type NodeResource = Resource & {
  readonly type: 'bucket' | 'catalog-source' | 'connector' | 'schema'
}

/** The buckets, sources, connectors and schemas that a node needs. */
export function resourcesOf(node: PipelineNode, nodes: readonly PipelineNode[]): NodeResource[] {
  const type = meantType(node, nodes)
  const { schemaId, version } = node.config
  const resources: NodeResource[] = []
  for (const text of referencesIn(node, type)) {
    const reference = parseReference(text)
    if ('problem' in reference || !Object.hasOwn(OWNERS, reference.scheme)) continue
    resources.push({ type: OWNERS[reference.scheme as keyof typeof OWNERS], id: reference.owner })
  }
  if (typeof schemaId === 'string') {
    resources.push({ type: 'schema', id: schemaId, ...(typeof version === 'number' && { version }) })
  }
  return resources
}

/** In the transaction that writes the newest version of the definition. */
export async function saveUses(tx: Db, pipelineId: string, nodes: readonly PipelineNode[]): Promise<void> {
  await tx.deleteFrom('pipeline_uses').where('pipeline_id', '=', pipelineId).execute()
  const rows = usesOf(pipelineId, nodes)
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await tx
      .insertInto('pipeline_uses')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute()
  }
}

const ROWS_AT_ONCE = 100

/** The pipelines whose newest definition names a resource. */
export async function usersOf(db: Db, { type, id, version }: Resource, limit: number): Promise<ResourceUser[]> {
  let select = db
    .selectFrom('pipeline_uses')
    .innerJoin('pipelines', 'pipelines.id', 'pipeline_uses.pipeline_id')
    .select(['pipelines.id', 'pipelines.name'])
    .distinct()
    .where('resource_type', '=', type)
    .where('resource_id', '=', id)
  if (version !== undefined) select = select.where('resource_version', '=', version)
  const rows = await select.orderBy('pipelines.id').limit(limit).execute()
  return rows.map((row) => ({ type: 'pipeline', ...row }))
}
