export { lineageOf } from './duckdb/lineage-of.ts'
export type { KnownTables, NotUnderstood, OutputColumn, SourceColumn, StatementLineage } from './lineage.ts'
