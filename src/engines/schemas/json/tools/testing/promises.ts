import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Effort } from '../../../effort.ts'
import { SchemaFault } from '../../../fault.ts'
import { parse } from '../../parse.ts'
import { example, faultsOf, fromShape, toShape } from '../index.ts'
import { arbitrarySchema } from './arbitrary-schema.ts'
import { randomOf } from './random.ts'
import { stockValidator } from './stock-validator.ts'
import { wildSchema } from './wild-schema.ts'

export function modelOf(schema: unknown, dependencies: readonly { name: string; text: string }[] = []) {
  return parse({ text: typeof schema === 'string' ? schema : JSON.stringify(schema), dependencies }, plenty()).model
}

export function plenty(): Effort {
  return new Effort(500_000)
}

export function checkExamples(numRuns: number): void {
  const property = fc.property(arbitrarySchema(), fc.nat(), ({ schema, draft }, seed) => {
    const value = example(modelOf(schema), randomOf(seed), plenty())
    assert.ok(stockValidator(schema, draft)(value), `does not fit: ${JSON.stringify(value)}`)
    assert.deepEqual(example(modelOf(schema), randomOf(seed), plenty()), value)
  })
  fc.assert(property, { numRuns })
}

/** Values of other schemas are nearly right, as those that people get wrong. */
export function checkFaults(numRuns: number): void {
  const property = fc.property(
    arbitrarySchema(),
    arbitrarySchema(),
    fc.jsonValue(),
    fc.nat(),
    (one, other, json, seed) => {
      const model = modelOf(one.schema)
      const fits = stockValidator(one.schema, one.draft)
      for (const value of [json, example(modelOf(other.schema), randomOf(seed), plenty())]) {
        assert.equal(faultsOf(model, value, plenty()).length === 0, fits(value), JSON.stringify(value))
      }
    }
  )
  fc.assert(property, { numRuns })
}

export function checkShapes(numRuns: number): void {
  const property = fc.property(arbitrarySchema(), fc.nat(), ({ schema }, seed) => {
    const shape = toShape(modelOf(schema), plenty()).result
    const text = fromShape(shape).result
    const again = modelOf(text)
    const value = example(modelOf(schema), randomOf(seed), plenty())
    assert.deepEqual(faultsOf(again, value, plenty()), [], `${JSON.stringify(value)} does not fit ${text}`)
    const twice = modelOf(fromShape(toShape(again, plenty()).result).result)
    assert.deepEqual(faultsOf(twice, value, plenty()), [])
  })
  fc.assert(property, { numRuns })
}

/** Whatever the schema: an answer that is right, or a fault. How many had an example, from 0 to 1. */
export function checkWild(numRuns: number): number {
  let [found, tried] = [0, 0]
  const property = fc.property(wildSchema(), fc.nat(), fc.jsonValue(), (schema, seed, json) => {
    const model = orFault(() => modelOf(schema))
    if (model === undefined) return
    const fits = stockValidator(schema, '2020-12')
    const value = orFault(() => ({ made: example(model, randomOf(seed), plenty()) }))
    tried++
    if (value !== undefined) found++
    if (value !== undefined) assert.notEqual(fits(value.made), false, `does not fit: ${JSON.stringify(value.made)}`)
    const [isFitting, faults] = [fits(json), orFault(() => faultsOf(model, json, plenty()))]
    if (isFitting !== undefined && faults !== undefined) assert.equal(faults.length === 0, isFitting)
    orFault(() => modelOf(fromShape(toShape(model, plenty()).result).result))
  })
  fc.assert(property, { numRuns })
  return found / tried
}

function orFault<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof SchemaFault) return undefined
    throw error
  }
}
