import type { NodeContext } from './context.ts'
import type { Rejected } from './source.ts'
import type { StateTable } from './state-table.ts'
import type { Flow } from './steps.ts'

export interface SinkContext<C> extends NodeContext<C> {
  readonly memo: unknown
  state(name: string): StateTable
  /** Counts the runs of the pipeline, from 1. */
  readonly runNumber: number
}

/** Where records go. Throws a `NodeFault`; after a transient one the same flow is written again. */
export interface Sink {
  /**
   * Writes the records of a batch. Those that are answered as written are there for good (or in its state tables, which the
   * next checkpoint makes durable); where `records` are at fault it is called again with fewer.
   */
  write(flow: Flow, options: { readonly epoch: number; readonly signal: AbortSignal }): Promise<Wrote>
  /**
   * The same for records of a batch whose columns have several types, as if they were written one by one in the order of
   * `ROW`. Refuses by `flow` and `row`. A sink without it gets them stretch by stretch.
   */
  writeMixed?(flows: readonly Flow[], options: { readonly epoch: number; readonly signal: AbortSignal }): Promise<Wrote>
  /**
   * Before a checkpoint: files to be published as soon as it is committed. `last` when no more will come in this run, so that
   * nothing may be held back.
   */
  prepare?(options: {
    readonly epoch: number
    readonly last: boolean
    readonly signal: AbortSignal
  }): Promise<readonly Publication[]>
  memo?(): unknown
  close(): Promise<void>
}

/**
 * What a sink could be asked without writing: `all` that it would refuse, its `own` rules alone but not those of who gets the
 * records, or nothing.
 */
export type Asked = 'all' | 'own' | 'none'

export interface DrySink {
  readonly sink: Sink
  readonly asked: Asked
}

export interface Wrote {
  /** Records taken from the flow, all of them: written and rejected. */
  readonly taken: number
  readonly written: number
  readonly rejected: readonly SinkRejected[]
}

/** A record that was not taken: by its place among those of the flow, from 0, or as it is. */
export interface SinkRejected extends Rejected {
  readonly place?: number
  /** Its `ROW`, once that is known. */
  readonly row?: number
  /** The place of its flow among several. */
  readonly flow?: number
}

/** A kept file that becomes an object once the checkpoint that names it is committed. */
export interface Publication {
  readonly file: string
  readonly bucket: string
  readonly key: string
  readonly contentType: string
}
