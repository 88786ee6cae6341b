import { toIso } from '../../../engines/clock.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { PipelineRow, RunError, RunRow, VersionRow } from '../migrations.ts'
import { type NodeFigures as Counted, imbalance, type Ledger } from '../protocol/ledger.ts'
import type { RunFigures } from '../protocol/protocol.ts'
import type { NodeFigures, Run, RunWarning } from '../runs/schema.ts'
import type { ListedPipeline, Pipeline } from './schema.ts'

/** What is said of a pipeline apart from how its run fares: what a change of it is about. */
export type Definition = Pick<Pipeline, 'id' | 'name' | 'description' | 'status' | 'nodes' | 'version'>

export const nodesOf = ({ nodes }: Pick<VersionRow, 'nodes'>): PipelineNode[] => JSON.parse(nodes) as PipelineNode[]

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

export function toRun(run: RunRow, now: { readonly ms: number; readonly live?: RunFigures | undefined }): Run {
  const ledger = now.live?.ledger ?? (JSON.parse(run.ledger) as Ledger)
  const counted = now.live?.nodes ?? (JSON.parse(run.nodes) as RunFigures['nodes'])
  const untilMs = run.ended_at === null ? now.ms : Date.parse(run.ended_at)
  const tookS = Math.max(untilMs - Date.parse(run.started_at), 1) / 1000
  return {
    id: run.id,
    kind: run.replay === null ? 'normal' : 'replay',
    number: run.number,
    version: run.version,
    status: run.status,
    startedBy: run.started_by,
    startedAt: run.started_at,
    endedAt: run.ended_at,
    ledger: { ...ledger },
    balanced: imbalance(ledger) === 0,
    recordsUnderWay: now.live?.underWay ?? 0,
    nodes: Object.entries(counted).map(([id, figures]) => toFigures(id, figures, tookS)),
    error: errorOf(run.error),
    activity: activityOf(now.live),
    warnings: run.warnings === null ? [] : (JSON.parse(run.warnings) as RunWarning[])
  }
}

function activityOf(live: RunFigures | undefined): Run['activity'] {
  if (live?.activity === undefined || live.activity === null) return null
  const { sinceMs, ...activity } = live.activity
  return { ...activity, since: toIso(sinceMs) }
}

function toFigures(id: string, { batches, ...counted }: Counted, tookS: number): NodeFigures {
  // Runs of before sources said how far they are have no such figure.
  return {
    id,
    ...counted,
    progress: counted.progress ?? null,
    batchesPerS: Math.round((batches / tookS) * 1000) / 1000
  }
}

const errorOf = (text: string | null): RunError | null => (text === null ? null : (JSON.parse(text) as RunError))

/** A copy that answers may be made of. */
export const shownNodes = (nodes: readonly PipelineNode[]) =>
  nodes.map((node) => ({ ...node, inputs: [...node.inputs] }))
