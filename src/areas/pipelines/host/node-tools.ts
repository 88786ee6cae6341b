/** What nodes use of the host. */
export { columnList, columnsOf } from './columns.ts'
export { firstRow, runCounted } from './database.ts'
export { toFault } from './faults.ts'
export { recordJson } from './sieve.ts'
export { type StateTable, tableName } from './state-table.ts'
export { conflictFault, typeConflict } from './type-conflict.ts'

/** Of a text that a source can't read as a record, for people to look at. */
export const MAX_RECORD_CHARS = 32_768
