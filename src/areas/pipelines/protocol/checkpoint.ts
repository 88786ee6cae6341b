import type { Publication } from '../contract/sink.ts'
import type { Rejected } from '../contract/source.ts'
import type { SavedTable } from '../contract/state-table.ts'
import type { Column } from '../duckdb/columns.ts'
import type { Ledger, NodeFigures } from './ledger.ts'
import type { RunLineage } from './run-lineage.ts'

/** From where a run goes on that was interrupted, or that follows one. JSON. */
export interface Checkpoint {
  readonly epoch: number
  /** Where sources go on, by node. */
  readonly positions: Readonly<Record<string, unknown>>
  readonly memos: Readonly<Record<string, unknown>>
  /** By node, then by the node's name for the table. */
  readonly tables: Readonly<Record<string, Readonly<Record<string, SavedTable>>>>
  /** Files that are to become objects, and may have become them. */
  readonly publications: readonly Publication[]
  /** The columns of its records, for a run that is interrupted; not where there are too many. */
  readonly columns?: SeenColumns
}

/** What a run has seen of columns. */
export interface SeenColumns {
  /** That nodes gave, by node. */
  readonly given: Readonly<Record<string, readonly Column[]>>
  /** Nodes that remember records of runs before it. */
  readonly restored: readonly string[]
}

/** What is written in one transaction, through the run's fence. */
export interface Commit {
  readonly checkpoint: Checkpoint
  readonly ledger: Ledger
  readonly nodes: Readonly<Record<string, NodeFigures>>
  readonly deadLetters: readonly DeadLetter[]
  /** Dead letters of before that have been put through again. */
  readonly replayed: readonly string[]
  /** What comes from where, where that is new. */
  readonly lineage?: RunLineage
}

/** A record that could not go on: as the node that refused it got it, or what a source received that is no record. */
export interface DeadLetter extends Rejected {
  /** The node that refused it. */
  readonly nodeId: string
}

/** The kept files that a checkpoint needs. */
export function filesOf(checkpoint: Checkpoint | null): string[] {
  if (checkpoint === null) return []
  const tables = Object.values(checkpoint.tables).flatMap((byName) => Object.values(byName))
  return [
    ...tables.flatMap(({ files }) => files.map(({ name }) => name)),
    ...checkpoint.publications.map(({ file }) => file)
  ]
}
