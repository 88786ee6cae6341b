import { sqlTexts } from './relation.ts'

export type ObjectFormat = 'csv' | 'tsv' | 'json' | 'ndjson' | 'parquet'

/** A format and the ending by which DuckDB knows whether a file is compressed. */
export interface ObjectForm {
  readonly format: ObjectFormat
  readonly extension: string
}

const BY_EXTENSION: Readonly<Record<string, ObjectFormat>> = {
  csv: 'csv',
  tsv: 'tsv',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet'
}

const BY_CONTENT_TYPE: Readonly<Record<string, ObjectFormat>> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/vnd.apache.parquet': 'parquet'
}

const READERS: Readonly<Record<ObjectFormat, readonly [name: string, options: string]>> = {
  csv: ['read_csv', ''],
  tsv: ['read_csv', ", delim = '\t'"],
  json: ['read_json', ", format = 'auto'"],
  ndjson: ['read_json', ", format = 'newline_delimited'"],
  parquet: ['read_parquet', '']
}

/** The form of an object by the ending of its key, else by its content type; undefined where neither tells. */
export function formOf(key: string, contentType: string): ObjectForm | undefined {
  const [, ending = '', gz = ''] = /\.([a-z]+)(\.gz)?$/i.exec(key) ?? []
  const byEnding = lookUp(BY_EXTENSION, ending.toLowerCase())
  // Parquet is compressed itself; a `.parquet.gz` is not supported.
  if (byEnding !== undefined && !(byEnding === 'parquet' && gz !== '')) {
    return { format: byEnding, extension: `${byEnding}${gz.toLowerCase()}` }
  }
  const byType = lookUp(BY_CONTENT_TYPE, contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '')
  return byType === undefined ? undefined : { format: byType, extension: byType }
}

/** Selects all rows of all files, with the columns of all of them. */
export function selectFrom(format: ObjectFormat, files: readonly string[]): string {
  const [reader, options] = READERS[format]
  return `SELECT * FROM ${reader}(${sqlTexts(files)}, union_by_name = true, hive_partitioning = false${options})`
}

/** The same of CSV whose lines have more or fewer fields than others: what is missing is null. Slower, and so only where need be. */
export function selectUneven(format: ObjectFormat, files: readonly string[]): string | undefined {
  if (format !== 'csv') return undefined
  const options = 'union_by_name = true, hive_partitioning = false, null_padding = true, parallel = false'
  return `SELECT * FROM read_csv(${sqlTexts(files)}, ${options})`
}

function lookUp(table: Readonly<Record<string, ObjectFormat>>, name: string): ObjectFormat | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
