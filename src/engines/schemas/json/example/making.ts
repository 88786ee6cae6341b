import type { Effort } from '../../fault.ts'
import type { Random } from '../../format.ts'
import type { JsonSchema, SchemaNode } from '../model.ts'
import type { PlainPlace, PlainSchema } from '../values/plain.ts'
import type { Validator } from '../values/validator.ts'

/** What is known while one value is made. */
export interface Making {
  readonly validator: Validator
  readonly plain: PlainSchema
  readonly random: Random
  readonly effort: Effort
  /** How many levels the smallest value of a schema has; infinite where it never ends. */
  readonly heights: ReadonlyMap<JsonSchema, number>
  /** How likely something is added that need not be there, from 0 to 1. */
  readonly generosity: number
  /** What all who have a part in it did so far: values made, and attempts that had to be repeated. */
  readonly count: { made: number; repeated: number }
}

/** Where a value is made: what it is called, and how far inside. */
export interface Spot {
  readonly name: string
  readonly depth: number
}

/** There is no way on; the place is that of the keyword that can't be satisfied. */
export class DeadEnd extends Error {
  readonly place: PlainPlace | undefined

  constructor(place: PlainPlace | undefined) {
    super('no value fits')
    this.place = place
  }
}

const GENEROUS_DEPTH = 4
const GENEROUS_VALUES = 200

/** Whether to add nothing that need not be there, so that values end. */
export function isFrugal(making: Making, spot: Spot): boolean {
  return spot.depth > GENEROUS_DEPTH || making.count.made > GENEROUS_VALUES
}

export function deadEnd(making: Making, node: SchemaNode | undefined, keyword?: string): DeadEnd {
  return new DeadEnd(node === undefined ? undefined : making.plain.placeOf(node, keyword))
}
