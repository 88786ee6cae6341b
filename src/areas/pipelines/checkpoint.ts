import type { Ledger, NodeFigures } from './host/ledger.ts'
import type { SavedTable } from './host/state-table.ts'
import type { Publication } from './nodes/sink.ts'

/** From where a run goes on that was interrupted, or that follows one. JSON. */
export interface Checkpoint {
  readonly epoch: number
  /** Of sources, by node. */
  readonly positions: Readonly<Record<string, unknown>>
  readonly memos: Readonly<Record<string, unknown>>
  /** By node, then by the node's name for the table. */
  readonly tables: Readonly<Record<string, Readonly<Record<string, SavedTable>>>>
  /** Files that are to become objects, and may have become them. */
  readonly publications: readonly Publication[]
}

/** What is written in one transaction, through the run's fence. */
export interface Commit {
  readonly checkpoint: Checkpoint
  readonly ledger: Ledger
  readonly nodes: Readonly<Record<string, NodeFigures>>
  readonly deadLetters: readonly DeadLetter[]
  /** Dead letters of before that have been put through again. */
  readonly replayed: readonly string[]
}

export interface DeadLetter {
  readonly node: string
  /** Stable: `invalid_value`. */
  readonly code: string
  readonly reason: string
  /** The record as the node got it, as JSON text, or what was received where it is no record. */
  readonly record: string
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
