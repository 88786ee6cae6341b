import { csv } from './csv.ts'
import type { FileFormat } from './format.ts'
import { json } from './json.ts'
import { nameOf } from './name.ts'

export const FORMATS = ['auto', 'csv', 'json', 'parquet'] as const
export type FormatName = (typeof FORMATS)[number]

/** The format that is asked for, or the one that the name of the file tells: CSV where it tells nothing. */
export async function formatOf(name: FormatName, path: string): Promise<FileFormat> {
  const known = name === 'auto' ? byName(path) : name
  if (known === 'csv') return csv
  return known === 'json' ? json : (await import('./parquet.ts')).parquet
}

export const isParquet = (name: FormatName, path: string): boolean =>
  (name === 'auto' ? byName(path) : name) === 'parquet'

function byName(path: string): Exclude<FormatName, 'auto'> {
  const { ending } = nameOf(path)
  if (['json', 'ndjson', 'jsonl'].includes(ending)) return 'json'
  return ['parquet', 'pq'].includes(ending) ? 'parquet' : 'csv'
}
