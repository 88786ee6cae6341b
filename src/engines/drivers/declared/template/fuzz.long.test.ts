import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../../test/support/any-character.ts'
import { fixSeed } from '../../../../../test/support/fixed-seed.ts'
import { SourceError } from '../../errors.ts'
import { filledBody, filledHeaders, filledPath, filledValues } from './encode.ts'
import { fill, namesIn, TemplateError, valueIn } from './template.ts'

const NAMES = [
  'a',
  'b.c',
  'list',
  'list.0',
  'list.-1',
  'constructor',
  '__proto__',
  'prototype',
  'a.constructor.name',
  'odd',
  'odd.toString',
  'this',
  'process',
  'globalThis',
  'parent.id'
]
const FUNCTIONS = [
  'base64',
  'lower',
  'upper',
  'trim',
  'encode',
  'host',
  'default:x',
  'default',
  'join:;',
  'join',
  'constructor',
  'toString',
  'default:{',
  ''
]

const placeholder = fc
  .tuple(fc.constantFrom(...NAMES), fc.array(fc.constantFrom(...FUNCTIONS), { maxLength: 3 }))
  .map(([name, functions]) => `{${[name, ...functions].join('|')}}`)
const template = fc
  .array(
    fc.oneof(
      placeholder,
      fc.string({ unit: ANY_CHARACTER, maxLength: 8 }),
      fc.constantFrom('{', '}', '|', '${', '{{', '../', '//', '\r\n', '`')
    ),
    { maxLength: 6 }
  )
  .map((parts) => parts.join(''))
const odd = fc.constantFrom(
  JSON.parse('{"toString": 1, "valueOf": 2}'),
  JSON.parse('{"__proto__": {"x": 1}}'),
  [JSON.parse('{"toString": 1}'), null, [1]],
  '\ud800',
  'a\r\nb',
  '..',
  '@evil.example',
  'https://evil.example/x',
  2n ** 70n
)
const value = fc.oneof(odd, fc.string({ unit: ANY_CHARACTER, maxLength: 10 }), fc.jsonValue({ maxDepth: 2 }))
const scope = fc.record({
  a: value,
  b: fc.record({ c: value }),
  list: fc.array(value, { maxLength: 3 }),
  odd,
  parent: fc.record({ id: value })
})

describe('templates, at random', () => {
  fixSeed()

  it('reach nothing but what they are given, and fail in no way but their own (100,000)', () => {
    const before = Object.getOwnPropertyNames(Object.prototype).join()
    fc.assert(
      fc.property(template, scope, (text, given) => {
        try {
          namesIn(text)
          const filled = fill(text, given)
          assert.ok(filled === undefined || typeof filled === 'string')
          assert.ok(!/native code|\[object |function /.test(filled ?? ''))
          assert.notEqual(typeof valueIn(text, given), 'function')
          assert.equal(typeof JSON.stringify(filledValues({ q: text }, given)), 'string')
          filledBody({ q: text, inner: [text] }, given)
        } catch (error) {
          assert.ok(error instanceof TemplateError, String(error))
          return
        }
        expectOwn(() => {
          for (const header of Object.values(filledHeaders({ h: text }, given))) assert.doesNotMatch(header, /[\r\n\0]/)
        })
        // What fills a path that is ours never becomes another server.
        expectOwn(() => {
          const path = filledPath(`/fixed/{a}/{parent.id}`, given)
          const url = new URL(`https://h.example${path}`)
          assert.equal(url.host, 'h.example')
          assert.ok(url.pathname.startsWith('/fixed/'))
          assert.equal(url.pathname.split('/').length, 4)
        })
        expectOwn(() => filledPath(text, given))
      }),
      { numRuns: 100_000 }
    )
    assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), before)
  })

  it('take time in proportion to their length', () => {
    const long = 200_000
    const texts = ['{', '{a', '{a.', '{a|', '{a|default:', '{a.b', '{a|b', '{{', '}', 'a'].flatMap((piece) => [
      piece.repeat(long / piece.length),
      `{${piece.slice(1).repeat(long / piece.length)}`,
      `{a${piece.slice(2).repeat(long / piece.length)}`
    ])
    for (const text of texts) {
      const started = process.cpuUsage()
      try {
        fill(text, { a: 'x' })
      } catch (error) {
        assert.ok(error instanceof TemplateError)
      }
      const { user } = process.cpuUsage(started)
      assert.ok(user < 2_000_000, `${text.slice(0, 20)} took ${user} µs`)
    }
  })
})

function expectOwn(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    assert.ok(error instanceof SourceError || error instanceof TemplateError, String(error))
  }
}
