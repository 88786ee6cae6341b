import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { matchSchema } from './schema-match.ts'

const ALL = ['integer', 'number', 'string', 'boolean', 'array', 'object']

/** Types of columns, each with the types of JSON Schema whose values it holds. */
const HELD: Readonly<Record<string, readonly string[]>> = {
  BIGINT: ['integer', 'number'],
  UTINYINT: ['integer', 'number'],
  HUGEINT: ['integer', 'number'],
  'DECIMAL(10,0)': ['integer', 'number'],
  'DECIMAL(10,2)': ['number'],
  DOUBLE: ['number'],
  FLOAT: ['number'],
  VARCHAR: ['string'],
  UUID: ['string'],
  "ENUM('a', 'b')": ['string'],
  DATE: ['string'],
  TIMESTAMP_NS: ['string'],
  'TIMESTAMP WITH TIME ZONE': ['string'],
  TIME: ['string'],
  BLOB: ['string'],
  BOOLEAN: ['boolean'],
  'BIGINT[]': ['array'],
  'DOUBLE[3]': ['array'],
  'STRUCT(a BIGINT)[]': ['array'],
  'STRUCT(a BIGINT, b VARCHAR[])': ['object'],
  'MAP(VARCHAR, BIGINT)': ['object'],
  JSON: ALL
}

/** The two ways to write é are two names; upper and lower case are one. */
const name = fc.constantFrom('id', 'ID', 'é', 'e\u0301', 'É', 'a b', '__proto__', 'toString', '')
const column = fc.record({ name, type: fc.constantFrom(...Object.keys(HELD)) })
const typeName = fc.constantFrom(...ALL, 'null')
const property = fc.oneof(
  fc.boolean(),
  fc.constant({}),
  typeName.map((type) => ({ type })),
  fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 }).map((type) => ({ type }))
)
const schema = fc.record(
  {
    properties: fc.array(fc.tuple(name, property), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
    required: fc.uniqueArray(name, { maxLength: 4 }),
    additionalProperties: fc.constantFrom(true, false, {})
  },
  { requiredKeys: [] }
)

type Schema = Parameters<typeof matchSchema>[0] & {
  properties?: Record<string, boolean | { type?: string | string[] }>
  required?: string[]
  additionalProperties?: unknown
}

/** How many faults there are, by looking for each column through the whole schema and the other way round. */
function faultsNaively({ properties = {}, required = [], additionalProperties }: Schema, columns: readonly Column[]) {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  let faults = required.filter((needed) => !columns.some((one) => same(one.name, needed))).length
  for (const [named, wanted] of Object.entries(properties)) {
    const found = columns.find((one) => same(one.name, named))
    if (found === undefined || wanted === true) continue
    const types = wanted === false ? [] : [wanted.type ?? ALL].flat()
    const isOnlyNull = wanted !== false && types.every((type) => type === 'null')
    if (!isOnlyNull && !types.some((type) => HELD[found.type]?.includes(type))) faults += 1
  }
  if (additionalProperties !== false) return faults
  return faults + columns.filter((one) => !Object.keys(properties).some((named) => same(named, one.name))).length
}

interface Column {
  readonly name: string
  readonly type: string
}

describe('columns against a schema', () => {
  it('have the faults that a naive comparison finds', () => {
    const columns = fc.uniqueArray(column, { maxLength: 5, selector: (one) => one.name.toLowerCase() })
    fc.assert(
      fc.property(schema, columns, (one, all) => {
        const faults = faultsNaively(one as Schema, all)
        const { status, measured } = matchSchema(one, all)
        assert.deepEqual([status, measured], [faults === 0 ? 'passed' : 'failed', faults])
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 1000) }
    )
  })
})
