import { type Relation, selectOf } from './relation.ts'

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

const READERS: Readonly<Record<ObjectFormat, readonly [reader: string, options: string]>> = {
  csv: ['read_csv', ''],
  tsv: ['read_csv', "delim = '\t'"],
  json: ['read_json', "format = 'auto'"],
  ndjson: ['read_json', "format = 'newline_delimited'"],
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

/** How all rows of all files are read, with the columns of all of them. */
export function relationOf(format: ObjectFormat, files: readonly string[]): Pick<Relation, 'sql' | 'text'> {
  const [reader, options] = READERS[format]
  const sql = selectOf(reader, files, options)
  if (reader !== 'read_csv' && reader !== 'read_json') return { sql }
  return { sql, text: { reader, options, ...(format === 'tsv' && { delimiter: '\t' }) } }
}

function lookUp(table: Readonly<Record<string, ObjectFormat>>, name: string): ObjectFormat | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
