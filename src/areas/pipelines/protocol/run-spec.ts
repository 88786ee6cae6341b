import type { Gateway } from '../contract/gateway.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { Origin } from '../contract/source.ts'
import type { Column } from '../duckdb/columns.ts'
import type { Checkpoint, Commit } from './checkpoint.ts'
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
  /** A run that puts dead letters through, and opens no source. */
  readonly replay?: {
    readonly order: ReplayOrder
    /** Nothing more will come, ever, so that nodes let go what they hold at its end; else they keep it for the next run. */
    readonly isLast: boolean
  }
}

/** How a run tells of itself. */
export interface RunReports {
  /** Resolves when it is durable. Throws where another has taken the run over. */
  commit(commit: Commit): Promise<void>
  log(line: LogLine): void
  /** Some of the dead letters of an order, from the one after `after` on. */
  letters?(order: ReplayOrder, after: string): Promise<LetterPage>
  /** What is tried again and again; null once it works. */
  trouble?(trouble: Trouble | null): void
  /** What takes long; null once it is done. */
  activity?(activity: Activity | null): void
  /** A checkpoint has been made, with all that belongs to it. */
  checkpointed?(tookMs: number): void
}

export interface Trouble {
  readonly code: string
  readonly message: string
  readonly nodeId: string
  /** Epoch milliseconds of the first time. */
  readonly sinceMs: number
  readonly attempts: number
}

export interface Activity {
  readonly nodeId: string
  /** Completes "it is at": `batch 12`. */
  readonly what: string
  /** Records of the batch, or as many of them as are done. */
  readonly records: number
  /** How far the statement is that runs, from 0 to 1; null where that is not known. */
  readonly share: number | null
  /** Epoch milliseconds. */
  readonly sinceMs: number
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

/** Which dead letters are to be put through again. */
export interface LetterFilter {
  readonly ids?: readonly string[]
  readonly nodeId?: string
  readonly code?: string
  readonly runId?: string
  /** Refused before that time, or from that time on; ISO 8601. */
  readonly before?: string
  readonly after?: string
}

export interface ReplayOrder extends LetterFilter {
  /** Later ones came after it was asked for. */
  readonly upTo: string
  /** Columns by name, each a SQL expression of the record as it was refused, that a record has when it goes in again. */
  readonly set?: Readonly<Record<string, string>>
}

/** A dead letter on its way back to the node that refused it. */
export interface Replay {
  readonly id: string
  readonly nodeId: string
  readonly inputId: string | undefined
  /** What the record had where it was refused; undefined where nobody wrote it down. */
  readonly columns: readonly Column[] | undefined
  readonly origin: Origin | undefined
  /** JSON of a record. */
  readonly record: string
}

export interface LetterPage {
  readonly letters: readonly Replay[]
  /** Where the next page begins; undefined after the last. */
  readonly next: string | undefined
}
