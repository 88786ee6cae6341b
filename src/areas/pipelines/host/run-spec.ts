import type { Checkpoint, Commit } from '../checkpoint.ts'
import type { Gateway } from '../nodes/gateway.ts'
import type { Column, PipelineNode } from '../nodes/node-type.ts'
import type { Ledger, NodeFigures } from './ledger.ts'

/** All a host needs to know to run a pipeline. */
export interface RunSpec {
  readonly pipelineId: string
  readonly runId: string
  /** Counts the runs of the pipeline, from 1. */
  readonly runNumber: number
  /** In any order, with secrets in the clear. */
  readonly nodes: readonly PipelineNode[]
  readonly checkpoint: Checkpoint | null
  /** What a run that was interrupted had counted by its checkpoint. */
  readonly counted: { readonly ledger: Ledger; readonly nodes: Readonly<Record<string, NodeFigures>> } | null
}

/** How a run tells of itself. */
export interface RunReports {
  /** Resolves when it is durable. Throws where another has taken the run over. */
  commit(commit: Commit): Promise<void>
  log(line: LogLine): void
}

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly node: string | null
  readonly message: string
}

export interface RunNeeds {
  readonly gateway: Gateway
  readonly reports: RunReports
}

/** How a run ended by itself; any other end is a fault that is thrown. */
export type RunEnd = 'completed' | 'stopped'

export interface RunResult {
  readonly end: RunEnd
  /** What each node gave, for lineage. */
  readonly columns: Readonly<Record<string, readonly Column[]>>
}

/** A dead letter that is to be put through again, at the node that refused it. */
export interface Replay {
  readonly id: string
  readonly node: string
  /** JSON of a record. */
  readonly record: string
}
