import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Effort } from '../effort.ts'
import { SchemaFault } from '../fault.ts'
import type { Dependency } from '../format.ts'
import { isNode, type SchemaNode } from './model.ts'
import { parse } from './parse.ts'
import { modelOf } from './testing/compare.ts'

function faultOf(text: string, dependencies: readonly Dependency[] = []): SchemaFault {
  try {
    parse({ text, dependencies }, new Effort(100_000))
  } catch (error) {
    assert.ok(error instanceof SchemaFault)
    return error
  }
  return assert.fail(`${text.slice(0, 200)} was taken`)
}

function canonical(text: string): string {
  return parse({ text, dependencies: [] }, new Effort(100_000)).canonical
}

test('what is wrong is said with its place', () => {
  const rows: [schema: unknown, pointer: string, message: RegExp][] = [
    [{ type: 'strng' }, '/type', /one of array, boolean/],
    [{ properties: { 'a/b': { minLength: -1 } } }, '/properties/a~1b/minLength', /whole number/],
    [{ anyOf: [] }, '/anyOf', /one schema or more/],
    [{ items: [{ required: ['a', 'a'] }] }, '/items/0/required', /each once/],
    [{ pattern: '(' }, '/pattern', /not a regular expression/],
    [{ patternProperties: { '[': {} } }, '/patternProperties/[', /not a regular expression/],
    [{ not: 1 }, '/not', /object, true or false/],
    [{ $schema: 'http://json-schema.org/draft-03/schema#' }, '/$schema', /draft-04/],
    [
      { $schema: 'http://json-schema.org/draft-04/schema#', exclusiveMinimum: true },
      '/exclusiveMinimum',
      /needs "minimum"/
    ],
    [
      { $schema: 'http://json-schema.org/draft-04/schema#', exclusiveMinimum: 1, minimum: 1 },
      '/exclusiveMinimum',
      /true or/
    ],
    [{ exclusiveMinimum: true, minimum: 1 }, '/exclusiveMinimum', /number/],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema', items: [{}] }, '/items', /object, true or false/],
    [[1], '', /has to be a schema/]
  ]
  for (const [schema, pointer, message] of rows) {
    const fault = faultOf(JSON.stringify(schema))
    assert.equal(fault.kind, 'invalid', JSON.stringify(schema))
    assert.equal(fault.place.pointer, pointer)
    assert.match(fault.message, message)
  }
})

test('what is not JSON is said with line and column', () => {
  assert.deepEqual({ ...faultOf('{\n  "type": "string",\n}').place }, { line: 3, column: 1, dependency: undefined })
  assert.equal(faultOf('').kind, 'invalid')
  assert.equal(faultOf('{"maximum": 1e999}').kind, 'invalid')
  assert.equal(faultOf('{"$ref": "b"}', [{ name: 'b', text: '{' }]).place.dependency, 'b')
})

test('keywords of other drafts may be anything', () => {
  for (const schema of [{ prefixItems: 1 }, { $schema: 'http://json-schema.org/draft-04/schema', const: 1, if: 2 }]) {
    assert.ok(modelOf(schema))
  }
  assert.equal(modelOf({}).draft, 'draft-07')
  assert.equal(modelOf({ $schema: 'https://json-schema.org/draft/2019-09/schema#' }).draft, '2019-09')
})

/** The value of `const` where a property's reference leads. */
function leadsTo(schema: SchemaNode, name: string, dependencies: readonly Dependency[] = []): unknown {
  const model = modelOf(schema, dependencies)
  const { properties } = model.document as { properties: { [name: string]: SchemaNode } }
  const node = properties[name] as SchemaNode
  const target = model.target(node) ?? model.target(node, '$dynamicRef') ?? model.target(node, '$recursiveRef')
  return isNode(target) ? target.const : target
}

test('references lead where they say', () => {
  const modern = { $schema: 'https://json-schema.org/draft/2020-12/schema' }
  const schema = {
    $id: 'http://x.test/a/root.json',
    definitions: {
      'a/b%': { const: 1 },
      named: { $id: '#here', const: 2 },
      other: { $id: '../b/other.json', const: 3 }
    },
    strange: { place: { const: 4 } },
    properties: {
      pointer: { $ref: '#/definitions/a~1b%25' },
      anchor: { $ref: '#here' },
      relative: { $ref: '../b/other.json' },
      absolute: { $ref: 'http://x.test/b/other.json#' },
      strange: { $ref: '#/strange/place' },
      no: { $ref: '#/properties/no2' },
      no2: false
    }
  }
  const found = Object.keys(schema.properties).map((name) => leadsTo(schema, name))
  assert.deepEqual(found.slice(0, 6), [1, 2, 3, 3, 4, false])
  assert.equal(leadsTo({ ...modern, $anchor: 'top', const: 5, properties: { a: { $ref: '#top' } } }, 'a'), 5)
  assert.equal(
    leadsTo({ ...modern, $dynamicAnchor: 'top', const: 6, properties: { a: { $dynamicRef: '#top' } } }, 'a'),
    6
  )
})

test('references to other schemas are found by the name that is used', () => {
  const dependencies = [
    { name: 'address.json', text: '{"const": 1, "definitions": {"zip": {"const": 2}}}' },
    { name: 'http://x.test/b.json', text: '{"$id": "http://x.test/c.json", "const": 3}' }
  ]
  const at = (reference: string) => leadsTo({ properties: { a: { $ref: reference } } }, 'a', dependencies)
  assert.deepEqual(
    ['address.json', 'address.json#/definitions/zip', 'http://x.test/b.json', 'http://x.test/c.json'].map(at),
    [1, 2, 3, 3]
  )
  const schema = { $id: 'http://y.test/root.json', properties: { a: { $ref: 'address.json' } } }
  assert.equal(leadsTo(schema, 'a', dependencies), 1)
  assert.ok(
    leadsTo({ properties: { a: { $ref: 'http://json-schema.org/draft-07/schema#/definitions/schemaArray' } } }, 'a') ===
      undefined
  )
})

test('references that lead nowhere are named', () => {
  for (const reference of ['#/definitions/a', '#a', 'other.json', 'http://x.test/%zz', '#/definitions/__proto__']) {
    const fault = faultOf(JSON.stringify({ properties: { p: { $ref: reference } }, definitions: {} }))
    assert.equal(fault.kind, 'missing_reference', reference)
    assert.equal(fault.place.pointer, '/properties/p/$ref')
    assert.ok(fault.message.includes(reference))
  }
})

test('schemas that need themselves to say anything are refused', () => {
  const circles = [
    { $ref: '#' },
    { definitions: { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } }, $ref: '#/definitions/a' },
    { anyOf: [{ type: 'string' }, { $ref: '#' }] }
  ]
  for (const schema of circles) assert.match(faultOf(JSON.stringify(schema)).message, /break the circle/)
  assert.ok(modelOf({ properties: { a: { $ref: '#' } }, items: { $ref: '#' } }))
})

test('the canonical text leaves out what has no meaning, and nothing else', () => {
  const schema = '{"type":["null","string"],"required":["a","b"],"$schema":"http://json-schema.org/draft-07/schema#"}'
  const same =
    '{ "$schema": "http://json-schema.org/draft-07/schema",\n"required": ["b", "a"], "type": ["string","null"] }'
  assert.equal(canonical(schema), canonical(same))
  const others: [string, string][] = [
    ['{"maximum":12345678901234567890}', '{"maximum":12345678901234567891}'],
    ['{"default":{"required":["a","b"]}}', '{"default":{"required":["b","a"]}}'],
    ['{"description":"a"}', '{}'],
    ['{"items":[{},true]}', '{"items":[true,{}]}'],
    ['{"__proto__":1}', '{}']
  ]
  for (const [one, other] of others) assert.notEqual(canonical(one), canonical(other))
  assert.equal(canonical('{"maximum":1.0}'), canonical('{"maximum":1}'))
})
