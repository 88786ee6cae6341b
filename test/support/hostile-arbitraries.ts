import fc, { type Arbitrary } from 'fast-check'
import { ANY_CHARACTER, WEB_URL } from './any-character.ts'
import { exampleOf, type Schema } from './hostile-bodies.ts'

/** Values that look like the schema and at every level may be something else altogether. */
export function arbitraryOf(schema: Schema): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: properOf(schema) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(null, '', 0, -1, 1e308, 2 ** 64, '__proto__', [], {}, [[]], 'x'.repeat(5000))
    }
  )
}

function properOf(schema: Schema): Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(arbitraryOf))
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch ([schema.type].flat()[0]) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return fc.array(arbitraryOf(schema.items as Schema), { maxLength: 5 })
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: -5, max: 1100 }), fc.double({ noNaN: true }))
    case 'boolean':
      return fc.boolean()
    default:
      return textOf(schema)
  }
}

function textOf(schema: Schema): Arbitrary<string> {
  const times = fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  return fc.oneof(
    fc.constant(exampleOf(schema) as string),
    schema.format === 'date-time' ? times : fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/),
    fc.string({ unit: ANY_CHARACTER, maxLength: 60 }),
    WEB_URL
  )
}

/** Mostly the fields it has, sometimes one left out or one too many. */
function objectOf({ properties = {} }: Schema): Arbitrary<object> {
  const known = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, arbitraryOf(member)]))
  const extra = fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }) }
  )
  return fc
    .tuple(fc.record(known, { requiredKeys: [] }), fc.record(known), fc.boolean(), extra)
    .map(([some, all, complete, more]) => ({ ...(complete ? all : some), ...more }))
}
