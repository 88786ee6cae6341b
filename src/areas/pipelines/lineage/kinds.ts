import type { MappingKind } from '../../lineage/index.ts'

/** The greater wins on a way of several steps: what was masked once stays so, and what decides about rows is no value any more. */
const ORDER: readonly MappingKind[] = ['identity', 'computed', 'sorted', 'grouped', 'joined', 'filtered', 'masked']

/** Several kinds as the bits of a number, each at its place in `ORDER`. */
export type Kinds = number

const IDENTITY = 1
const COMPUTED = 2

export const bitOf = (kind: MappingKind): Kinds => 1 << ORDER.indexOf(kind)

export const kindsIn = (kinds: Kinds): MappingKind[] => ORDER.filter((_, place) => (kinds & (1 << place)) !== 0)

/** The kinds of ways that go on with one more step. */
export function after(kinds: Kinds, step: Kinds): Kinds {
  // All that are less become as much as the step; those above it stay.
  return (kinds & ~(step - 1)) | ((kinds & (step - 1)) === 0 ? 0 : step)
}

/** The same where it is no longer known which column it was: no value is as it was. */
export const ofWhole = (kinds: Kinds): Kinds => (kinds & ~IDENTITY) | ((kinds & IDENTITY) === 0 ? 0 : COMPUTED)
