import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Effort } from '../effort.ts'
import { SchemaFault } from '../fault.ts'
import { differences } from './differences.ts'
import { parse } from './parse.ts'

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
