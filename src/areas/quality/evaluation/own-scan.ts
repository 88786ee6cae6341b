import { formOf, type ObjectFormat } from '../../../data/object-formats.ts'
import { parseReference } from '../../../data/reference.ts'
import type { Compiled } from './compile.ts'
import type { Asks, Told } from './told.ts'

/** A scan of one column that answers several rules about it, beside the one that all others share. */
export interface OwnScan {
  /** A SELECT of one row with a name, as SQL. */
  readonly source: string
  /** How many rows have a value, by what the source is asked. */
  present(asks: Asks): Told
  /** How many of the values are wrong for a rule, in the same way. */
  wrong(compiled: Compiled, asks: Asks): Told
}

/**
 * Whether a column can be read by itself: in Parquet that costs only what the column costs, where a scan of its own of CSV or JSON
 * would read everything once more. An object whose name does not tell is taken for the latter.
 */
export const isColumnar = (dataset: string): boolean => formatOf(dataset) === 'parquet'

/** Whether it is an object of which every scan reads all, as its name tells. */
export function isText(dataset: string): boolean {
  const format = formatOf(dataset)
  return format !== undefined && format !== 'parquet'
}

function formatOf(dataset: string): ObjectFormat | undefined {
  const reference = parseReference(dataset)
  if ('problem' in reference || reference.scheme !== 'object') return undefined
  return formOf(reference.path, '')?.format
}
