import type { Progress } from '../contract/source.ts'

/** What became of records, in one run. `read + added = written + filtered + deadLettered + merged`, at every checkpoint. */
export interface Ledger {
  /** By sources. */
  recordsRead: number
  /** By sinks, each for itself. */
  recordsWritten: number
  /** Dropped on purpose: by a filter, as a duplicate, or because a join found nothing for them. */
  recordsFiltered: number
  recordsDeadLettered: number
  /** Taken in by nodes that make other records of them: windows, joins, statements. */
  recordsMerged: number
  /** Made by such nodes, and by handing the same records to more than one node. */
  recordsAdded: number
}

export const emptyLedger = (): Ledger => ({
  recordsRead: 0,
  recordsWritten: 0,
  recordsFiltered: 0,
  recordsDeadLettered: 0,
  recordsMerged: 0,
  recordsAdded: 0
})

/** What is missing where the books do not balance; 0 where they do. */
export function imbalance(ledger: Ledger): number {
  const came = ledger.recordsRead + ledger.recordsAdded
  return came - ledger.recordsWritten - ledger.recordsFiltered - ledger.recordsDeadLettered - ledger.recordsMerged
}

/** What a node has done in this run. */
export interface NodeFigures {
  recordsIn: number
  recordsOut: number
  errors: number
  batches: number
  lagMs: number | null
  /** How much is read, of a source that knows how much there is. */
  progress: Progress | null
}

export const emptyFigures = (): NodeFigures => ({
  recordsIn: 0,
  recordsOut: 0,
  errors: 0,
  batches: 0,
  lagMs: null,
  progress: null
})
