import type { ColumnMapping, DataSeen } from '../../lineage/index.ts'

/** What is known of the data that a run reads and writes, and which of their columns come from which. */
export interface RunLineage {
  readonly inputs: readonly DataSeen[]
  readonly outputs: readonly DataSeen[]
  readonly columns: readonly ColumnMapping[]
  /** Whether every source has given something, so that there is nothing else to be known. */
  readonly isWhole: boolean
}
