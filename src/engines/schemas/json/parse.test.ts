import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Effort, SchemaFault } from '../fault.ts'
import type { Dependency } from '../format.ts'
import { differences } from './compare/comparison.ts'
import { formOf } from './drafts.ts'
import { DRAFTS, isNode, type SchemaNode } from './model.ts'
import { parse } from './parse.ts'
import { ADDRESSES, isSchemaByAjv, modelOf } from './testing/soundness.ts'

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

const KEYWORDS = (
  '$comment $anchor $defs $recursiveAnchor additionalItems additionalProperties allOf const contains contentEncoding ' +
  'contentSchema default definitions dependencies dependentRequired dependentSchemas deprecated description else examples ' +
  'exclusiveMaximum format if items maxContains maxItems maximum minLength multipleOf not oneOf pattern patternProperties ' +
  'prefixItems properties propertyNames readOnly required then title type unevaluatedItems uniqueItems'
).split(' ')

const leaf = fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 1.5, 'a', 'string', 'integer', 'a b')
const value = fc.oneof(
  leaf,
  fc.array(fc.constantFrom<unknown>('a', 'b', 'string', 'null', 1, {}, true, null), { maxLength: 2 }),
  fc.constantFrom<unknown>({}, { a: {} }, { a: 1 }, { a: true }, { a: ['b'] }, { type: 'string' }, { type: 1 })
)

test('keywords are right exactly when the schema of schemas says so', () => {
  const property = fc.property(
    fc.constantFrom(...DRAFTS),
    fc.constantFrom(...KEYWORDS),
    value,
    (draft, keyword, given) => {
      // Others take these as well, so that schemas which are in use everywhere can be registered.
      const isLenient =
        (draft === 'draft-04' && (formOf(keyword, draft) === undefined || isOldRefusal(keyword, given))) ||
        (keyword === '$recursiveAnchor' && draft === '2020-12') ||
        (keyword === 'items' && Array.isArray(given) && given.length === 0)
      if (isLenient) return
      const schema = {
        $schema: ADDRESSES[draft],
        [keyword]: given,
        ...(keyword === 'exclusiveMaximum' && { maximum: 1 })
      }
      assert.equal(isTaken(schema), isSchemaByAjv(schema, draft), JSON.stringify(schema))
    }
  )
  fc.assert(property, { numRuns: 800, seed: 1 })
})

/** Draft 04 asks for lists with something in them, knows true and false in few places, and says nothing of formats. */
function isOldRefusal(keyword: string, given: unknown): boolean {
  const text = JSON.stringify(given)
  return ['required', 'dependencies', 'items', 'format'].includes(keyword) || text.includes('true') || text === 'false'
}

function isTaken(schema: object): boolean {
  try {
    return parse({ text: JSON.stringify(schema), dependencies: [] }, new Effort(10_000)) !== undefined
  } catch (error) {
    assert.ok(error instanceof SchemaFault)
    return false
  }
}

const STEPS = 60_000

/** What is answered, or the kind of the fault; anything else that is thrown fails the test. */
function outcome(written: unknown, read: unknown = written): string {
  try {
    const [before, after] = [written, read].map((schema) => {
      const text = typeof schema === 'string' ? schema : JSON.stringify(schema)
      return parse({ text, dependencies: [] }, new Effort(STEPS)).model
    })
    return `${differences(before as never, after as never, new Effort(STEPS)).length} found`
  } catch (error) {
    if (error instanceof SchemaFault) return error.kind
    throw error
  }
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i))
}

function linked(count: number, link: (reference: string) => object, last: object): object {
  const links = times(count, (i): [string, object] => [`d${i}`, link(`#/definitions/d${i + 1}`)])
  return { $ref: '#/definitions/d0', definitions: { ...Object.fromEntries(links), [`d${count}`]: last } }
}

test('what is nested too deep is refused', () => {
  assert.equal(outcome(`${'{"not":'.repeat(10_000)}{}${'}'.repeat(10_000)}`), 'too_complex')
  assert.equal(outcome(`${'{"anyOf":['.repeat(80_000)}{}${']}'.repeat(80_000)}`), 'too_complex')
  assert.equal(outcome('['.repeat(900_000)), 'too_complex')
  assert.equal(outcome(`${'{"properties":{"a":'.repeat(99)}{}${'}}'.repeat(99)}`), '0 found')
  assert.equal(outcome({ description: 'a'.repeat(1024 * 1024) }), 'too_complex')
})

test('long chains of references are followed or refused', () => {
  assert.equal(outcome(linked(3000, ($ref) => ({ $ref }), {})), '0 found')
  assert.equal(outcome(linked(1000, ($ref) => ({ properties: { a: { $ref } } }), {})), 'too_complex')
  assert.equal(outcome(linked(1000, ($ref) => ({ allOf: [{ $ref }] }), {})), 'too_complex')
})

test('references that unfold without end are compared once each', () => {
  const unfold = (last: object) =>
    linked(30, ($ref) => ({ properties: Object.fromEntries(times(10, (i) => [`p${i}`, { $ref }])) }), last)
  assert.equal(outcome(unfold({ type: 'string' }), unfold({ type: 'number' })), '200 found')
  const unions = (last: object) =>
    linked(12, ($ref) => ({ anyOf: times(6, (i) => ({ title: `${i}`, allOf: [{ $ref }] })) }), last)
  assert.match(outcome(unions({ type: 'string' }), unions({ type: 'number' })), / found|too_complex/)
})

test('schemas that all refer to each other are compared', () => {
  const mesh = (changed: number) => {
    const node = (i: number) =>
      Object.fromEntries(
        times(30, (k) => [`p${k}`, i === changed && k === 3 ? { type: 'null' } : { $ref: `#/definitions/d${k}` }])
      )
    return {
      $ref: '#/definitions/d0',
      definitions: Object.fromEntries(times(30, (i) => [`d${i}`, { properties: node(i) }]))
    }
  }
  assert.equal(outcome(mesh(-1)), '0 found')
  assert.match(outcome(mesh(-1), mesh(17)), /^2\d\d found/)
})

test('many alternatives are paired or refused', () => {
  const constants = (from: number, count: number) => ({ anyOf: times(count, (i) => ({ const: from + i })) })
  assert.equal(outcome(constants(0, 2000)), '0 found')
  assert.match(outcome(constants(0, 700), constants(700, 700)), /too_complex/)
  assert.equal(outcome(constants(0, 300), constants(1, 300)), '1 found')
})

test('patterns that take for ever are not run', () => {
  const name = `${'a'.repeat(60)}!`
  const written = { properties: { [name]: { type: 'string' } }, patternProperties: { '^(a|aa)+$': {} } }
  const read = { patternProperties: { '^(a+)+$': { type: 'number' }, '^(a|a)*$': {}, '(a*)*(a*)*b': {} } }
  assert.match(outcome(written, read), / found/)
  const many = { properties: Object.fromEntries(times(1000, (i) => [`p${i}`, {}])) }
  const patterns = { patternProperties: Object.fromEntries(times(1000, (i) => [`^p${i}`, {}])) }
  assert.equal(outcome(many, patterns), 'too_complex')
})

test('names of prototypes are names like others', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
  const text = (type: string) => `{${names.map((name) => `"${name}":1`).join()},"required":["constructor"],
    "properties":{${names.map((name) => `"${name}":{"type":"${type}"}`).join()}}}`
  assert.equal(outcome(text('string'), text('number')), '4 found')
  assert.equal(outcome('{"properties":{}}', '{"properties":{},"required":["constructor"]}'), '1 found')
})
