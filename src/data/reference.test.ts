import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type DataReference, formatReference, MAX_REFERENCE_CHARS, parseReference, type Scheme } from './reference.ts'

const RULES: Record<Scheme, 'must' | 'may' | 'not'> = {
  object: 'must',
  series: 'may',
  pipeline: 'not',
  cluster: 'must',
  connector: 'must',
  model: 'may',
  dashboard: 'not'
}

const owner = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).filter((text) => !text.includes('/'))
const path = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('a/b', '/a', 'a/', '..', '*.csv', '//')
)
const reference = fc
  .record({ scheme: fc.constantFrom(...(Object.keys(RULES) as Scheme[])), owner, path })
  .filter((one) => (RULES[one.scheme] === 'must' ? one.path !== '' : true))
  .map((one): DataReference => ({ ...one, path: RULES[one.scheme] === 'not' ? '' : one.path }))

describe('a data reference', () => {
  it('is the same after being written and read', () => {
    fc.assert(fc.property(reference, (one) => assert.deepEqual(parseReference(formatReference(one)), one)))
  })

  it('is the same text after being read and written, or is refused with a reason', () => {
    const beginning = fc.constantFrom(...Object.keys(RULES), 'http', 'Object', '')
    const text = fc.tuple(beginning, fc.constantFrom('://', ':/', ':///', ''), path).map((parts) => parts.join(''))
    const property = fc.property(fc.oneof(text, fc.string()), (candidate) => {
      const parsed = parseReference(candidate)
      if ('problem' in parsed) assert.match(parsed.problem, /^must /)
      else assert.equal(formatReference(parsed), candidate)
    })
    fc.assert(property, { numRuns: 1000 })
  })

  for (const [text, parsed] of [
    ['object://sales/2026/a b+%.csv', { scheme: 'object', owner: 'sales', path: '2026/a b+%.csv' }],
    ['object://sales//a', { scheme: 'object', owner: 'sales', path: '/a' }],
    ['object://sales/line\nbreak', { scheme: 'object', owner: 'sales', path: 'line\nbreak' }],
    ['series://src_1', { scheme: 'series', owner: 'src_1', path: '' }],
    ['cluster://cl_1/main.orders', { scheme: 'cluster', owner: 'cl_1', path: 'main.orders' }],
    ['model://churn/3', { scheme: 'model', owner: 'churn', path: '3' }]
  ] as const) {
    it(`is ${JSON.stringify(text)}`, () => assert.deepEqual(parseReference(text), parsed))
  }

  for (const [text, problem] of [
    ['', /^must start with one of object:\/\/ series:\/\/ /],
    ['sales/a.csv', /^must start with one of/],
    ['http://a/b', /^must start with one of/],
    ['Object://a/b', /^must start with one of/],
    [' object://a/b', /^must start with one of/],
    ['constructor://a/b', /^must start with one of/],
    ['object:/a/b', /^must start with one of/],
    ['object://', /^must name something after object:\/\//],
    ['object:///key', /^must name something after object:\/\//],
    ['object://b', /^must go on after object:\/\/b\//],
    ['object://b/', /^must go on after object:\/\/b\//],
    ['cluster://c', /^must go on after cluster:\/\/c\//],
    ['connector://c/', /^must go on after connector:\/\/c\//],
    ['pipeline://p/', /^must end after pipeline:\/\/p$/],
    ['dashboard://d/x', /^must end after dashboard:\/\/d$/],
    ['series://s/', /^must not end with a slash$/],
    ['model://m/', /^must not end with a slash$/],
    [`object://b/${'x'.repeat(MAX_REFERENCE_CHARS)}`, /^must have at most 1200 characters$/]
  ] as const) {
    it(`is not ${JSON.stringify(text.slice(0, 30))}`, () => {
      const parsed = parseReference(text)
      assert.match('problem' in parsed ? parsed.problem : 'accepted', problem)
    })
  }

  it('may have 1200 characters', () => {
    const text = `object://b/${'x'.repeat(MAX_REFERENCE_CHARS - 11)}`
    assert.ok(!('problem' in parseReference(text)))
  })
})
