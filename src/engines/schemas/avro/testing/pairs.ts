import type { Type } from 'avsc'
import fc, { type Arbitrary } from 'fast-check'
import { SchemaFault } from '../../fault.ts'
import type { AvroType } from '../model.ts'
import { AnySchema, type SchemaJson } from './any-schema.ts'
import { avscType } from './avsc-oracle.ts'
import { type Choices, choices } from './choices.ts'
import { modelOf } from './compatibility.ts'
import { mutated } from './mutate.ts'

export interface Side {
  readonly schema: SchemaJson
  readonly model: AvroType
  readonly type: Type
}

export interface Pair {
  readonly written: Side
  readonly read: Side
  readonly choices: Choices
}

/** Two schemas of which one came about by changes to the other, or, now and then, that have nothing to do with each other. */
export const pairs: Arbitrary<Pair> = choices
  .map((made) => {
    const first = new AnySchema(made).root()
    const second = made.once(10) ? new AnySchema(made).root() : mutated(first, made)
    const isForward = made.once(2)
    const [written, read] = isForward ? [sideOf(second), sideOf(first)] : [sideOf(first), sideOf(second)]
    if (written === undefined || read === undefined) return undefined
    return { written, read, choices: made, [fc.toStringMethod]: () => `${shown(written)} read as ${shown(read)}` }
  })
  .filter((pair) => pair !== undefined)

export const schemas: Arbitrary<Side & { readonly choices: Choices }> = choices
  .map((made) => {
    const side = sideOf(new AnySchema(made).root())
    return side && { ...side, choices: made, [fc.toStringMethod]: () => shown(side) }
  })
  .filter((side) => side !== undefined)

/** Undefined where it is no schema for us or for avsc. */
function sideOf(schema: SchemaJson): Side | undefined {
  let type: Type
  try {
    type = avscType(schema)
  } catch {
    return undefined
  }
  try {
    return { schema, model: modelOf(schema), type }
  } catch (error) {
    if (error instanceof SchemaFault) return undefined
    throw error
  }
}

function shown({ schema }: Side): string {
  return JSON.stringify(schema)
}
