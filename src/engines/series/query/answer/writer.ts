import type { Quality } from '../../index.ts'
import type { Fill, Query } from '../plan.ts'
import type { TagRows } from '../rows.ts'

/** By their numbers in rows. As values the seam's own would load the engines into every thread that formats. */
export const QUALITY_NAMES: readonly Quality[] = ['good', 'uncertain', 'bad']

/** Writes an answer in one format. Both give the pieces that are ready. */
export interface AnswerWriter {
  /** One tag after the other, each as it is to be shown. */
  rows(rows: TagRows): Iterable<Uint8Array>
  end(facts: AnswerFacts): Iterable<Uint8Array>
}

/** What is known when all has been written. */
export interface AnswerFacts {
  readonly unknownTags: readonly string[]
  readonly pointsRead: number
  readonly elapsedMs: number
  readonly filled: Fill
  /** Points before and after; undefined where all are shown. */
  readonly downsampled: { readonly from: number; readonly to: number } | undefined
}

/** What the columns are called: one alone is the value, several have the names of their functions. */
export function columnNames(query: Query): readonly string[] {
  return query.bucket === undefined || query.functions.length === 1 ? ['value'] : query.functions
}

/** Whether buckets show their count beside the columns; it is there already where it was asked for among others. */
export function showsCount(query: Query): boolean {
  return query.bucket !== undefined && !columnNames(query).includes('count')
}
