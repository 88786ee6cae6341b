import type { PipelineState } from './states.ts'

declare module '../../../engines/metadata/index.ts' {
  interface Tables {
    pipelines: PipelineRow
    pipeline_versions: VersionRow
    pipeline_runs: RunRow
    pipeline_checkpoints: CheckpointRow
    pipeline_owners: OwnerRow
    pipeline_dead_letters: DeadLetterRow
    pipeline_letter_counts: LetterCountRow
    pipeline_logs: LogRow
    pipeline_uses: UseRow
  }
}

export interface PipelineRow {
  id: string
  name: string
  description: string
  /** Of the last run; `stopped` where there was none. */
  status: PipelineState
  /** JSON of a `RunError`; why it failed, or why it is being tried again. */
  error: string | null
  node_count: number
  /** The version of its definition. */
  version: number
  /** The last run. */
  run_id: string | null
  run_count: number
  /** Dead letters with greater identifiers are not committed yet. */
  letters_upto: string | null
  created_by: string
  created_at: string
  updated_at: string
}

/** What the nodes were from one edit to the next; runs keep the version that they began with. */
export interface VersionRow {
  pipeline_id: string
  version: number
  /** JSON, with secrets masked. */
  nodes: string
  /** The secrets by node and path, sealed; null where there are none. */
  secrets: string | null
  created_by: string
  created_at: string
}

export interface RunRow {
  id: string
  pipeline_id: string
  /** Counts the runs of the pipeline, from 1. */
  number: number
  version: number
  status: PipelineState
  /** The replica that runs it, or ran it last; null while none does. */
  owner: string | null
  /** Counts those who took it; what an earlier one commits is refused. */
  fence: number
  /** Failures since it last committed something. */
  failures: number
  /** Not to be taken before this; epoch milliseconds. */
  due_ms: number
  /** JSON of a `Ledger`. */
  ledger: string
  /** JSON of `NodeFigures` by node. */
  nodes: string
  /** JSON of a `RunError`. */
  error: string | null
  /** JSON of a `ReplayRun`, for a run that puts dead letters through and reads no source. Null for every other run. */
  replay: string | null
  /** JSON of what was said when it was started, a list of `RunWarning`; null where that is nothing. */
  warnings: string | null
  started_by: string
  started_at: string
  ended_at: string | null
}

export interface CheckpointRow {
  pipeline_id: string
  run_id: string
  /** The version of the definition whose nodes it speaks of. */
  version: number | null
  /** JSON of a `Checkpoint`. */
  checkpoint: string
  committed_at: string
}

/** Replicas that are alive say so here. */
export interface OwnerRow {
  id: string
  seen_ms: number
}

export interface DeadLetterRow {
  id: string
  pipeline_id: string
  run_id: string
  node_id: string
  /** The input of the node that it came from, where the node has several. */
  input_id: string | null
  code: string
  reason: string
  /** The first characters of it, where it is long: lists show no more. */
  record: string
  /** The others. */
  record_rest: string | null
  /** Of the whole record, in characters. */
  size_chars: number
  /** JSON of the columns that the record had, with their types; null where it is no record. */
  columns: string | null
  /** JSON of an `Origin`. */
  origin: string | null
  created_at: string
  replayed_at: string | null
}

/** The dead letters of a pipeline that wait; without a row there are none of a kind. */
export interface LetterCountRow {
  pipeline_id: string
  node_id: string
  code: string
  waiting: number
  size_chars: number
}

export interface LogRow {
  id: string
  pipeline_id: string
  run_id: string
  level: 'info' | 'warn' | 'error'
  node_id: string | null
  message: string
  created_at: string
}

/** What the newest version of a definition names of other areas. */
export interface UseRow {
  pipeline_id: string
  resource_type: string
  resource_id: string
  /** 0 where no version is named. */
  resource_version: number
}

/** Why a run failed, or what it tries again and again. */
export interface RunError {
  readonly code: string
  readonly message: string
  readonly nodeId: string | null
  /** When it failed like this first; not said of what ended it. */
  readonly since?: string
  readonly attempts?: number
}

/** What is no failure of a run and hardly meant. */
export interface RunWarning {
  readonly nodeId: string
  /** Stable: `nothing_matches`. */
  readonly code: string
  readonly message: string
}
