/** What nodes use of the host. */

export { toFault } from '../contract/faults.ts'
export { type StateTable, tableName } from '../contract/state-table.ts'
export { columnList, columnsOf } from '../duckdb/columns.ts'
export { firstRow, runCounted } from '../duckdb/database.ts'
export { recordJson } from './sieve.ts'
export { conflictFault, typeConflict } from './type-conflict.ts'

/** Of a text that a source can't read as a record, for people to look at. */
export const MAX_RECORD_CHARS = 32_768
