import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import type { Options, ValidateFunction } from 'ajv'
import fc from 'fast-check'
import { seeded } from '../../../seeded-random.ts'
import { Effort, SchemaFault } from '../../fault.ts'
import { example } from '../example/generate.ts'
import type { Draft } from '../model.ts'
import { parse } from '../parse.ts'
import { fromShape } from '../shape/from-shape.ts'
import { toShape } from '../shape/to-shape.ts'
import { faultsOf } from '../values/validator.ts'
import { arbitrarySchema, wildSchema } from './arbitrary-schema.ts'

export function modelOf(schema: unknown, dependencies: readonly { name: string; text: string }[] = []) {
  return parse({ text: typeof schema === 'string' ? schema : JSON.stringify(schema), dependencies }, plenty()).model
}

export function plenty(): Effort {
  return new Effort(500_000)
}

export function checkExamples(numRuns: number): void {
  const property = fc.property(arbitrarySchema(), fc.nat(), ({ schema, draft }, seed) => {
    const value = example(modelOf(schema), seeded(seed), plenty())
    assert.ok(stockValidator(schema, draft)(value), `does not fit: ${JSON.stringify(value)}`)
    assert.deepEqual(example(modelOf(schema), seeded(seed), plenty()), value)
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
      for (const value of [json, example(modelOf(other.schema), seeded(seed), plenty())]) {
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
    const value = example(modelOf(schema), seeded(seed), plenty())
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
    const value = orFault(() => ({ made: example(model, seeded(seed), plenty()) }))
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

interface Ajv {
  compile(schema: unknown): ValidateFunction
  addMetaSchema(schema: object): void
}

const require = createRequire(import.meta.url)
const MODULES: Readonly<Record<Draft, string>> = {
  'draft-04': 'ajv-draft-04',
  'draft-06': 'ajv',
  'draft-07': 'ajv',
  '2019-09': 'ajv/dist/2019.js',
  '2020-12': 'ajv/dist/2020.js'
}

/** What ajv remembers of schemas grows with each. */
const MAX_COMPILED = 100
const known = new Map<Draft, { readonly ajv: Ajv; compiled: number }>()

/**
 * A validator of the schema as it was written, by the implementation for its draft, but for what ajv gets wrong: where items have
 * to be unique it takes the type of further items for that of all. It answers nothing where it throws:
 * some combinations of alternatives with `patternProperties` and the like are more than ajv 8 can do.
 */
function stockValidator(schema: unknown, draft: Draft): (value: unknown) => boolean | undefined {
  const before = known.get(draft)
  const compiler =
    before !== undefined && before.compiled < MAX_COMPILED ? before : { ajv: makeAjv(draft), compiled: 0 }
  known.set(draft, compiler)
  compiler.compiled++
  const validate = compiler.ajv.compile(mended(schema))
  return (value) => {
    try {
      return validate(value) as boolean
    } catch {
      return undefined
    }
  }
}

function mended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mended)
  if (typeof value !== 'object' || value === null) return value
  const node = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mended(inner)]))
  const rest = Array.isArray(node.items) ? 'additionalItems' : Array.isArray(node.prefixItems) ? 'items' : undefined
  if (node.uniqueItems === true && rest !== undefined && typeof node[rest] === 'object') {
    node[rest] = { allOf: [node[rest]] }
  }
  return node
}

function makeAjv(draft: Draft): Ajv {
  const { default: Ajv } = require(MODULES[draft]) as { default: new (options: Options) => Ajv }
  const { default: addFormats } = require('ajv-formats') as { default: (ajv: object) => void }
  const options = {
    strict: false,
    ownProperties: true,
    logger: false,
    multipleOfPrecision: 9,
    allErrors: true
  } as const
  // Nobody reads its messages, and to tidy up the code takes longer than to run it untidy.
  const ajv = new Ajv({ ...options, messages: false, code: { optimize: false } })
  if (draft === 'draft-06') ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json') as object)
  addFormats(ajv)
  return ajv
}
