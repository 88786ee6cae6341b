import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { Effort } from '../../effort.ts'
import { Heights } from '../heights.ts'
import { avro } from '../index.ts'
import type { Choices } from './choices.ts'
import { STEPS } from './compatibility.ts'
import { type Side, schemas } from './pairs.ts'

/** That examples are values for avsc too, and that values with something wrong in them are for neither. */
export function checkExamples(numRuns: number): void {
  const effort = () => new Effort(STEPS)
  const property = fc.property(schemas, (side) => {
    const { model, choices } = side
    if (new Heights(model, effort()).of(model) === Number.POSITIVE_INFINITY) return
    const value = avro.example(model, choices.random, effort())
    assert.deepEqual(avro.faultsOf(model, value, effort()), [])
    assert.ok(isAvscValue(side, value), JSON.stringify(value))
    const changed = spoiled(value, choices)
    // Not the other way round: we take plain values of unions too, and records that lack what has a default.
    if (isAvscValue(side, changed)) assert.deepEqual(avro.faultsOf(model, changed, effort()), [])
  })
  fc.assert(property, { numRuns })
}

function isAvscValue({ type }: Side, value: unknown): boolean {
  try {
    // What it fills in or leaves out shows when it is written again.
    return isDeepStrictEqual(JSON.parse(type.toString(type.fromString(JSON.stringify(value)))), value)
  } catch {
    return false
  }
}

/** The value with one place in it that is something else. */
function spoiled(value: unknown, choices: Choices): unknown {
  const keys = Object.keys(Object(value))
  if (typeof value !== 'object' || value === null || keys.length === 0 || choices.once(5)) {
    return choices.of<unknown>(null, 'x', 1, true, 1.5, {}, [], 2 ** 40)
  }
  const key = choices.of(...keys)
  const inner = spoiled((value as Record<string, unknown>)[key], choices)
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner }
}
