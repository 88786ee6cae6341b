import type { Column } from '../duckdb/columns.ts'
import type { SqlPart } from '../duckdb/parse-sql.ts'
import type { NodeContext, NodeFault } from './context.ts'
import type { Rejected } from './source.ts'
import type { StateTable } from './state-table.ts'

export interface StepsContext<C> extends NodeContext<C> {
  readonly inputIds: readonly string[]
  /** Whether nothing but dead letters is put through. */
  readonly isReplay: boolean
  /** What `memo` said at the last checkpoint; undefined in a run that begins at the beginning. */
  readonly memo: unknown
  /** A table of this node that outlives crashes. Call before the first step, always with the same names. */
  state(name: string): StateTable
}

/** A transform that remembers, batch by batch. A step that fails over records has changed nothing yet. */
export interface Steps {
  /** Puts a batch through; `inputs` are in the order of the node's inputs, undefined where nothing came. */
  step(step: Step): Promise<Stepped>
  /** Computes what a step would with records of one input, without keeping anything; throws where they are at fault. */
  probe(input: number, flow: Flow): Promise<void>
  /** Is told of records that a step can't take and that are dead letters for it, before the step without them. */
  refused?(letters: readonly { readonly code: string }[]): void
  /** Casts that it makes of columns beside the expressions of its configuration, to find records that do not take them. */
  casts?(input: number, columns: readonly Column[]): readonly SqlPart[]
  /** JSON of at most a few KiB that belongs to the checkpoint beside its tables: a watermark. */
  memo(): unknown
  /** Why the run must not go on after the last step: what came so far is committed, and then it ends as failed. */
  stop?(): NodeFault | undefined
  close?(): Promise<void>
}

export interface Step {
  readonly inputs: readonly (Flow | undefined)[]
  /** Inputs that will give nothing more after this. Once all have ended, everything that is held goes out or is dropped. */
  readonly ended: readonly boolean[]
  readonly signal: AbortSignal
}

/** Records on their way: a SELECT that can be run more than once, though each time costs. */
export interface Flow {
  readonly sql: string
  /** The same records in the same order, with the column `ROW`. */
  readonly numbered: string
  readonly columns: readonly Column[]
  /** How many records there are; undefined until somebody has counted. */
  readonly rows: number | undefined
  /** There are no more records than this, where that is known. */
  readonly maxRows?: number
  /** See `BatchPart`. */
  readonly isLoose?: boolean
}

export interface Stepped {
  /** What goes on to the next nodes, readable until the next step; undefined for nothing. `numbered` where they are records that came in. */
  readonly output: (Omit<Flow, 'numbered'> & { readonly numbered?: string }) | undefined
  /** How many records there were in each of the inputs, counted. */
  readonly taken: readonly number[]
  /** Records that came out, held ones included when they go. */
  readonly given: number
  /** Records dropped on purpose, of those taken now or before. */
  readonly filtered: number
  /** Records that it refuses, by their `ROW`. */
  readonly rejected: readonly (Rejected & { readonly row: number })[]
  /** Records that were taken to be given later and, of those that are given, those that were taken before; none unless said. */
  readonly kept?: number
  readonly released?: number
  /** Records that wait in its tables. */
  readonly held: number
}
