/** Dialects that another parser than DuckDB's reads. */
export type OtherDialect = 'postgres' | 'mysql' | 'bigquery'
