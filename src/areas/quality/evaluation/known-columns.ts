import { sqlName } from '../../../data/relation.ts'
import type { DataColumn, DataValue } from '../../../data/sql-process/messages.ts'
import { DATASET } from './compile.ts'
import type { KeySpan } from './key-span.ts'

const MAX_DATASETS = 1000
/** Of datasets with more columns nothing is remembered. */
const MAX_COLUMNS = 200

export type KeySpans = ReadonlyMap<string, KeySpan>

interface Known {
  readonly columns: readonly DataColumn[]
  readonly spans: Map<string, KeySpan>
}

/**
 * The columns that datasets had when they were last looked at. To read them anew is as much work as a small evaluation,
 * since the data are fetched for it; so they are taken to be the same, and the statement says whether they are.
 */
export class KnownColumns {
  readonly #datasets = new Map<string, Known>()

  get(dataset: string): readonly DataColumn[] | undefined {
    return this.#datasets.get(dataset)?.columns
  }

  /** Of keys, by the names of their columns. */
  spansOf(dataset: string): KeySpans | undefined {
    return this.#datasets.get(dataset)?.spans
  }

  /** Keeps what was found of keys; those of which nothing is told stay as they are known. */
  setSpans(dataset: string, spans: KeySpans): void {
    const known = this.#datasets.get(dataset)
    for (const [column, span] of spans) known?.spans.set(column, span)
  }

  forget(dataset: string): void {
    this.#datasets.delete(dataset)
  }

  set(dataset: string, columns: readonly DataColumn[]): void {
    this.#datasets.delete(dataset)
    if (columns.length > MAX_COLUMNS || columns.length === 0) return
    this.#datasets.set(dataset, { columns, spans: new Map() })
    const [oldest] = this.#datasets.keys()
    if (this.#datasets.size > MAX_DATASETS && oldest !== undefined) this.#datasets.delete(oldest)
  }
}

/** The types of columns as they are now, in one value; null where there is no row. */
export const typesSql = (columns: readonly DataColumn[]): string =>
  `(SELECT [${columns.map(({ name }) => `typeof(${sqlName(name)})`).join(', ')}] FROM ${DATASET} LIMIT 1)`

/** Whether the columns are still of the types that they were taken to be of. */
export function areSame(columns: readonly DataColumn[], types: DataValue | undefined): boolean {
  if (types === null || types === undefined) return true
  return Array.isArray(types) && columns.every(({ type }, at) => types[at] === type)
}
