import type { Quality } from '../../index.ts'
import type { Fill, Query } from '../plan.ts'
import type { TagRows } from '../rows.ts'

/**
 * Names of qualities by their numbers in rows. Imported from the engine's index as a value, they would load all
 * engines into every thread that formats.
 */
export const QUALITY_NAMES: readonly Quality[] = ['good', 'uncertain', 'bad']

/** Writes an answer in one format. Both methods yield the pieces that are ready. */
export interface AnswerWriter {
  /** Takes the rows of one tag after the other, as they are to be shown. */
  rows(rows: TagRows): Iterable<Uint8Array>
  end(facts: AnswerFacts): Iterable<Uint8Array>
}

/** What is known once all rows were written. */
export interface AnswerFacts {
  readonly unknownTags: readonly string[]
  readonly pointsRead: number
  readonly elapsedMs: number
  readonly filled: Fill
  /** The number of points before and after downsampling; undefined where all are shown. */
  readonly downsampled: { readonly from: number; readonly to: number } | undefined
}

/** The names of the columns: a single one is `value`, several have the names of their functions. */
export function columnNames(query: Query): readonly string[] {
  return query.bucket === undefined || query.functions.length === 1 ? ['value'] : query.functions
}

/** Whether buckets show their count as an extra column; not where `count` is one of several functions asked for. */
export function showsCount(query: Query): boolean {
  return query.bucket !== undefined && !columnNames(query).includes('count')
}
