import type { DuckDBConnection } from '@duckdb/node-api'
import type { Outbound } from '../../../engines/outbound/index.ts'
import type { Gateway } from './gateway.ts'

/** What a node gets when its pipeline runs. */
export interface NodeContext<C> {
  readonly pipelineId: string
  readonly runId: string
  readonly nodeId: string
  /** The configuration of the node, with its secrets in the clear. */
  readonly config: C
  /** A connection of its own to the database of the pipeline. */
  readonly database: DuckDBConnection
  /** Where tables of the pipeline are; those of a node begin with its id and a colon. */
  readonly schema: string
  /** An empty folder for files of this node, gone with the run. */
  readonly folder: string
  readonly gateway: Gateway
  outbound(): Promise<Outbound>
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds that have passed since some moment, whatever becomes of the clock: for intervals. */
  elapsed(): number
  /** A line for the people who look after the pipeline. */
  log(level: 'info' | 'warn' | 'error', message: string): void
  /** Aborts when the run ends, however it ends. */
  readonly signal: AbortSignal
}

/**
 * Something went wrong at a node. `transient`: trying again later may help. `records`: some records are at fault, others may go
 * through. `shape`: all of these records are, because of the types of their columns. `fatal`: nothing but a change helps.
 */
export class NodeFault extends Error {
  readonly kind: 'transient' | 'records' | 'shape' | 'fatal'
  /** Stable: `unreachable`. */
  readonly code: string
  /** The node at fault, once it is known. */
  nodeId: string | undefined

  constructor(kind: NodeFault['kind'], code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'NodeFault'
    this.kind = kind
    this.code = code
  }
}
