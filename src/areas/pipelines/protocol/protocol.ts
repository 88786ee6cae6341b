import type { Gateway } from '../contract/gateway.ts'
import type { ConfigFault, PipelineNode } from '../contract/node-type.ts'
import type { Asked } from '../contract/sink.ts'
import type { Commit, DeadLetter } from './checkpoint.ts'
import type { KnownColumns } from './known-columns.ts'
import type { Ledger, NodeFigures } from './ledger.ts'
import type { Activity, LetterPage, LogLine, ReplayOrder, RunEnd, RunSpec, Trouble } from './run-spec.ts'

/** What the server asks of a host. */
export interface HostCalls {
  configure(settings: HostSettings): Promise<void>
  /** How much memory its SQL may take from now on. */
  resize(memoryBytes: number): Promise<void>
  /** What it takes of the memory of the machine. */
  residentBytes(): Promise<number>
  /** Resolves when the run has ended by itself or was stopped; rejects with a `NodeFault` where it failed. */
  run(spec: RunSpec): Promise<RunEnd>
  stop(runId: string): Promise<void>
  /** Hands records to a node that takes them from requests; answers once they are committed. */
  feed(runId: string, nodeId: string, body: Uint8Array, requestId: string): Promise<FeedAnswer>
  /** Puts dead letters through again, between batches; answers once all are committed. One order at a time. */
  replay(runId: string, order: ReplayOrder): Promise<void>
  /** What is wrong with the SQL and schemas of nodes, without running them; with names, also which columns are not among them. */
  check(nodes: readonly PipelineNode[], known?: KnownColumns): Promise<NodeProblem[]>
  /** Puts sample records through a pipeline and shows them after every node; writes nothing. */
  preview(nodes: readonly PipelineNode[], samples: Samples, rights: PreviewRights): Promise<Preview>
}

/** What a host asks of the server, always for one of its runs. */
export interface ServerCalls extends RunCalls {
  started(runId: string): void
  commit(runId: string, commit: Commit): Promise<void>
  /** Dead letters of the next commit, where it would be large with them; nobody sees them before it. */
  stageLetters(runId: string, letters: readonly DeadLetter[]): Promise<void>
  letters(runId: string, order: ReplayOrder, after: string): Promise<LetterPage>
  log(runId: string, line: LogLine): void
  trouble(runId: string, trouble: Trouble | null): Promise<void>
  activity(runId: string, activity: Activity | null): void
  /** It has made a checkpoint, which took so long. */
  checkpointed(runId: string, tookMs: number): void
  /** Every second or so while it runs: of whole batches, those that are not committed yet included. */
  figures(runId: string, figures: RunFigures): void
}

type RunCalls = {
  [M in keyof Gateway]: (runId: string, ...args: Parameters<Gateway[M]>) => ReturnType<Gateway[M]>
}

export const GATEWAY_METHODS = [
  'writeSeries',
  'judgeSeries',
  'exportSeries',
  'listObjects',
  'fetchObject',
  'keepFile',
  'loadFile',
  'publish',
  'currentSecret',
  'replaceSecret'
] as const satisfies readonly (keyof Gateway)[]

export interface HostSettings {
  readonly folder: string
  readonly memoryBytes: number
  readonly threads: number
  readonly spillBytes: number
  /** What the process may take besides the memory of its SQL; it ends where it takes more. Unbounded unless said. */
  readonly processBytes?: number
  readonly allowPrivateNetworks: boolean
  readonly allowedHosts: readonly string[]
}

export interface RunFigures {
  readonly ledger: Ledger
  readonly nodes: Readonly<Record<string, NodeFigures>>
  /** Records of the batch that is being put through, which are not counted yet. */
  readonly underWay: number
  readonly activity?: Activity | null
}

export interface FeedAnswer {
  readonly accepted: number
  readonly rejected: number
  /** The first hundred of the rejected ones. */
  readonly errors: readonly { readonly line: number; readonly code: string; readonly message: string }[]
}

export interface NodeProblem extends ConfigFault {
  readonly nodeId: string
}

/** Records by source node. */
export type Samples = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** What the caller of a preview may see. */
export interface PreviewRights {
  /** Whether series may be asked what they would take, which tells of their tags. */
  readonly series: boolean
}

export interface Preview {
  readonly nodes: readonly NodePreview[]
  /** Why a run may make something else of it. */
  readonly warnings?: readonly string[]
}

export interface NodePreview {
  readonly id: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly records: readonly Readonly<Record<string, unknown>>[]
  /** All of them, of which `records` are the first. */
  readonly total: number
  readonly deadLetters: readonly { readonly code: string; readonly reason: string; readonly record: string }[]
  /** How much of what it would refuse a sink could tell. */
  readonly asked?: Asked
}
