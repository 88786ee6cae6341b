export { lineageOf } from './duckdb/lineage-of.ts'
export { lineageOfSql, type ParseSelects } from './heads/lineage-of-sql.ts'
export type { KnownTables, NotUnderstood, OutputColumn, SourceColumn, StatementLineage } from './lineage.ts'
