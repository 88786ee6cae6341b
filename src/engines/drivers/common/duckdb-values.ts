import { DuckDBBlobValue } from '@duckdb/node-api'
import type { ColumnType, StreamValue } from '../index.ts'

const AS_THEY_ARE: Readonly<Record<string, ColumnType>> = {
  BOOLEAN: 'boolean',
  TINYINT: 'integer',
  SMALLINT: 'integer',
  INTEGER: 'integer',
  UTINYINT: 'integer',
  USMALLINT: 'integer',
  BIGINT: 'bigint',
  DOUBLE: 'double',
  FLOAT: 'double',
  BLOB: 'blob',
  VARCHAR: 'text'
}

/** What a column of DuckDB is here, and the SQL that gives its values in the form that streams have them in. */
export function duckdbForm(type: string, name: string): readonly [ColumnType, string] {
  const same = AS_THEY_ARE[type]
  if (same !== undefined) return [same, name]
  if (type === 'UINTEGER' || type === 'UBIGINT') return ['bigint', `${name}::HUGEINT`]
  if (type === 'HUGEINT' || type === 'UHUGEINT' || type.startsWith('DECIMAL')) return ['decimal', `${name}::VARCHAR`]
  if (type === 'DATE') return ['date', `${name}::VARCHAR`]
  if (type === 'TIMESTAMP_NS') return ['timestamp', `strftime(${name}, '%Y-%m-%d %H:%M:%S.%n')`]
  if (type === 'TIMESTAMP WITH TIME ZONE') return ['timestamptz', timeForm(`make_timestamp(epoch_us(${name}))`)]
  if (type.startsWith('TIMESTAMP')) return ['timestamp', timeForm(name)]
  if (type === 'JSON' || /[[(]/.test(type)) return ['json', `to_json(${name})::VARCHAR`]
  return ['text', `${name}::VARCHAR`]
}

const timeForm = (value: string) => `strftime(${value}, '%Y-%m-%d %H:%M:%S.%f')`

/** A value of such SQL. */
export const duckdbValue = (value: unknown): StreamValue =>
  value instanceof DuckDBBlobValue ? value.bytes : (value as StreamValue)
