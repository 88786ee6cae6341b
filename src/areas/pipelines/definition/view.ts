import type { PipelineNode } from '../contract/node-type.ts'
import type { RunFigures } from '../protocol/protocol.ts'
import { errorOf, maskedError, toRun } from '../runs/view.ts'
import type { PipelineRow, RunRow, VersionRow } from '../store/rows.ts'
import { nodesOf } from '../store/versions.ts'
import type { ListedPipeline, Pipeline } from './schema.ts'

/** What is said of a pipeline apart from how its run fares: what a change of it is about. */
export type Definition = Pick<Pipeline, 'id' | 'name' | 'description' | 'status' | 'nodes' | 'version'>

export function toListed(row: PipelineRow): ListedPipeline {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status,
    nodes: row.node_count,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}

export function toDefinition(row: PipelineRow, version: Pick<VersionRow, 'nodes'>): Definition {
  const { id, name, description, status } = row
  return { id, name, description, status, nodes: shownNodes(nodesOf(version)), version: row.version }
}

/** `live`: what its run has counted beyond what is committed, where it runs here. */
export function toPipeline(
  row: PipelineRow,
  version: Pick<VersionRow, 'nodes'>,
  run: RunRow | undefined,
  now: { readonly ms: number; readonly live?: RunFigures | undefined }
): Pipeline {
  const shownRun = run === undefined ? undefined : toRun(run, now)
  const { nodes: figures, ...lastRun } = shownRun ?? { nodes: [] }
  const nodes = shownNodes(nodesOf(version))
  return {
    ...toListed(row),
    nodes,
    error: errorOf(row.error),
    activity: shownRun?.activity ?? null,
    run: shownRun === undefined ? null : (lastRun as Pipeline['run']),
    nodeFigures: nodes.flatMap(({ id }) => figures.filter((figure) => figure.id === id))
  }
}

/** The same without what its errors say, for those who may not see what they may quote. */
export function withoutWords({ error, run, ...pipeline }: Pipeline): Pipeline {
  return { ...pipeline, error: maskedError(error), run: run && { ...run, error: maskedError(run.error) } }
}

/** A copy that answers may be made of. */
export const shownNodes = (nodes: readonly PipelineNode[]) =>
  nodes.map((node) => ({ ...node, inputs: [...node.inputs] }))
