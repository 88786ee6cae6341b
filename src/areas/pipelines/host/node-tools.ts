/** What nodes use of the host. */
export { MAX_RECORD_CHARS, recordTexts } from './bisect.ts'
export { columnList, columnsOf } from './columns.ts'
export { firstRow, runCounted } from './database.ts'
export { toFault } from './faults.ts'
export { type StateTable, tableName } from './state-table.ts'
