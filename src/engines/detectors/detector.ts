import type { Kind } from './kinds.ts'

/** What one value is to one detector: nothing, of the form, certainly one, or of the form with check digits that are wrong. */
export const NO = 0
export const FORM = 1
export const MATCH = 2
export const BROKEN = 3
export type Found = typeof NO | typeof FORM | typeof MATCH | typeof BROKEN

/** Finds values of one kind, in one of the forms that it comes in. It looks at a value once, from left to right. */
export interface Detector {
  readonly kind: Kind
  /** What it looks for, in words for people: `PESEL (Poland)`. */
  readonly form: string
  /** How sure a column full of matches makes, if its name says nothing: from 0 to 1. */
  readonly alone: number
  /** How likely any other value of the same form is a match too. */
  readonly chance: number
  /** Of the values that have the form, the part that must be matches. */
  readonly leastHolding: number
  /** Values of the form count too where the name of the column says what they are. */
  readonly formCounts: boolean
  look(value: string): Found
}

/** A detector whose values need no check digits. */
export function detector(
  given: Pick<Detector, 'kind' | 'form' | 'alone' | 'look'> &
    Partial<Omit<Detector, 'kind' | 'form' | 'alone' | 'look'>>
): Detector {
  return { chance: 0.01, leastHolding: 0.6, formCounts: false, ...given }
}
