import type { RuleConfig } from '../../rules/schema.ts'
import type { RuleType } from '../../words.ts'
import type { ColumnProfile } from '../schema.ts'

/** A rule that a profile speaks for. */
export interface Candidate {
  readonly type: RuleType
  readonly config: RuleConfig
  /** What it says of the data, as the beginning of its name. */
  readonly words: string
  readonly evidence: string
  readonly confidence: number
}

/** A column of which something is known. */
export type KnownColumn = ColumnProfile & { readonly count: number; readonly nulls: number }

/** Fewer rows, or values, speak for nothing. */
export const FEW = 20

/** So many values by themselves make one half as sure as one can be. */
const HALF_SURE = 20

/** How sure one can be of a rule after so many values, where `most` is what endless ones would give. */
export const sure = (most: number, values: number): number =>
  Math.round((most * 100 * values) / (values + HALF_SURE)) / 100

/** A number as people read it. */
export const inWords = (number: number): string => number.toLocaleString('en-US')

/** What evidence that is about drawn values speaks of. */
export const drawnInWords = ({ drawn }: KnownColumn): string =>
  drawn?.exact === true
    ? `all ${inWords(drawn.values)} values`
    : `${inWords(drawn?.values ?? 0)} values drawn at random`
