import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../test/support/any-character.ts'
import { Problem } from '../errors.ts'
import { parseJson, parseJsonItems } from './json-body.ts'

const parse = (text: string) => parseJson(Buffer.from(text))

function refusal(body: string | Buffer): string {
  try {
    parseJson(Buffer.from(body))
  } catch (error) {
    assert.ok(error instanceof Problem)
    assert.equal(error.code, 'malformed_json')
    return error.detail
  }
  throw new Error(`${String(body).slice(0, 100)} was accepted`)
}

/** What no body may hold, found by walking the value rather than its text. */
function isHostile(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, member]) => name === '__proto__' || isHostile(name) || isHostile(member))
}

/** JSON of a value in which every n-th character of each text is an escape, where one is enough to hide a name. */
function escaped(value: unknown, every: number): string {
  if (typeof value === 'string') return quoted(value, every)
  if (Array.isArray(value)) return `[${value.map((item) => escaped(item, every)).join()}]`
  const members = Object.entries(value as object)
  return `{${members.map(([name, member]) => `${quoted(name, every)}:${escaped(member, every)}`).join()}}`
}

function quoted(text: string, every: number): string {
  const characters = text.split('').map((character, index) => {
    if (index % every !== 0) return JSON.stringify(character).slice(1, -1)
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `"${characters.join('')}"`
}

describe('parseJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: ANY_CHARACTER }), (value) => {
        fc.pre(!isHostile(value))
        assert.deepEqual(parse(JSON.stringify(value)), JSON.parse(JSON.stringify(value)))
      }),
      { numRuns: 200 }
    )
  })

  it('finds hostile names and texts however they are escaped', () => {
    // No lone backslash: after an object with that name, V8 14.6 itself takes any escaped name of one character for it.
    const plain = fc.string().filter((text) => text !== '\\')
    const text = fc.oneof(fc.constantFrom('__proto__', 'a\0', '\ud800', 'x\udc00y', 'name', '😀'), plain)
    const value = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, text, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
      object: fc.array(fc.tuple(text, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries))
    })).value
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 5 }), (value, every) => {
        const json = escaped(value, every)
        // Rarely, and only after certain other objects, V8 14.6 misreads escaped names: see above.
        fc.pre(isDeepStrictEqual(JSON.parse(json), value))
        if (isHostile(value)) refusal(json)
        else assert.deepEqual(parse(json), value)
      }),
      { numRuns: 1000 }
    )
  })

  it('refuses what JSON.parse refuses', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((text) => text.slice(0, -1))
        ),
        (text) => {
          fc.pre(text !== '')
          let expected: unknown
          try {
            expected = JSON.parse(text)
          } catch {
            refusal(text)
            return
          }
          if (!isHostile(expected)) assert.deepEqual(parse(text), expected)
        }
      )
    )
  })

  it('takes an empty body for none', () => assert.equal(parse(''), undefined))

  it('refuses bytes that are not UTF-8', () => {
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]]) {
      assert.match(refusal(Buffer.concat([Buffer.from('"'), Buffer.from(bytes), Buffer.from('"')])), /UTF-8/)
    }
  })

  it('refuses deep nesting in long bodies without parsing them', () => {
    const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`
    const padding = ' '.repeat(600)
    assert.ok(parse(nested(64) + padding))
    assert.match(refusal(nested(66) + padding), /64 levels/)
    assert.match(refusal('['.repeat(1_000_000)), /64 levels/)
    assert.match(refusal('{"a":'.repeat(200_000)), /64 levels/)
  })

  it('does not take brackets in texts for nesting', () => {
    const text = JSON.stringify({ a: `${'['.repeat(1000)}\\"{{"`, b: ['\\', '"['] })
    assert.deepEqual(parse(text), JSON.parse(text))
  })

  it('leaves no mark on the prototypes', () => {
    refusal('{"__proto__":{"marked":true}}')
    refusal('{"a":{"__proto__":{"marked":true}}}')
    assert.deepEqual(parse('{"constructor":{"prototype":{"marked":true}}}'), {
      constructor: { prototype: { marked: true } }
    })
    assert.equal('marked' in {}, false)
  })
})

describe('parseJsonItems', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}${' '.repeat(600)}`

  it('refuses of a list what would be refused alone, and reads the others', () => {
    const item = fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.constantFrom(
        '{"a":"x\\u0000"}',
        '["\\ud800"]',
        '{"__proto__":1}',
        '"\\udc00"',
        nested(64),
        nested(65),
        nested(400)
      )
    )
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), (items) => {
        const alone = items.map((text) => {
          try {
            return parse(text)
          } catch (error) {
            return (error as Problem).detail
          }
        })
        const together = parseJsonItems(Buffer.from(`[${items.join()}]`))
        assert.deepEqual(
          together.map((one) => (one instanceof Problem ? one.detail : one)),
          alone
        )
      }),
      { numRuns: 500 }
    )
  })

  it('takes one that is no list for the only one', () => {
    assert.deepEqual(parseJsonItems(Buffer.from('{"a":[1]}')), [{ a: [1] }])
    const [refused] = parseJsonItems(Buffer.from('{"a":"\\u0000"}'))
    assert.ok(refused instanceof Problem && /NUL/.test(refused.detail))
  })

  it('reads nothing of a body that nests without end', () => {
    assert.throws(() => parseJsonItems(Buffer.from('['.repeat(1_000_000))), /64 levels/)
  })
})
