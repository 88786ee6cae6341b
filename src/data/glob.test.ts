import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { within } from '../../test/support/yardstick.ts'
import { isPattern, mayMeet, parsePattern } from './glob.ts'

/** The simplest matcher: it tries every way to go on, one after the other. */
function naive(pattern: string, key: string): boolean {
  if (pattern === '') return key === ''
  if (pattern.startsWith('**')) {
    const rest = pattern.slice(2)
    return splits(key).some(([, after]) => naive(rest, after))
  }
  if (pattern.startsWith('*')) {
    return splits(key).some(([before, after]) => !before.includes('/') && naive(pattern.slice(1), after))
  }
  if (key === '') return false
  if (pattern.startsWith('?')) return key[0] !== '/' && naive(pattern.slice(1), key.slice(1))
  const members = /^\[(!?)([ab]+)\]/.exec(pattern)
  if (members !== null) {
    const [whole, not = '', listed = ''] = members
    return (
      key[0] !== '/' &&
      listed.includes(key[0] as string) === (not === '') &&
      naive(pattern.slice(whole.length), key.slice(1))
    )
  }
  return pattern[0] === key[0] && naive(pattern.slice(1), key.slice(1))
}

function splits(text: string): [string, string][] {
  return Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)])
}

describe('a pattern of keys', () => {
  it('matches what trying every way would match', () => {
    const part = fc.constantFrom('a', 'b', 'c', '*', '?', '[ab]', '[!a]', '**', 'x/', 'a/')
    // No `**` as a whole segment: it may match nothing, which the simple matcher does not know.
    const pattern = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(''))
    const key = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'x', '/'), maxLength: 8 })
    const property = fc.property(pattern, key, (text, candidate) => {
      fc.pre(!/(?:^|\/)\*\*\//.test(text) && !text.includes('***'))
      assert.equal(parsePattern(text).matches(candidate), naive(text, candidate))
    })
    fc.assert(property, { numRuns: 3000 })
  })

  it('begins with its prefix', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '*', '?', '[', ']', '/') }), (text) => {
        const { prefix } = parsePattern(text)
        assert.ok(text.startsWith(prefix))
        assert.equal(isPattern(prefix), false)
        assert.equal(prefix === text, !isPattern(text))
      })
    )
  })

  for (const [pattern, yes, no] of [
    ['2026/*.csv', ['2026/a.csv', '2026/.csv'], ['2026/a/b.csv', '2026/a.csv.gz', '2025/a.csv']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b', 'a//b'], ['a/xb', 'ab', 'x/a/b']],
    ['**/b', ['b', 'x/b', 'x/y/b'], ['xb', 'b/x']],
    ['a/**', ['a/b', 'a/b/c', 'a/'], ['a', 'b/a/c']],
    ['a**b', ['ab', 'axb', 'ax/yb'], ['ax']],
    ['d[0-2].csv', ['d0.csv', 'd2.csv'], ['d3.csv', 'd.csv', 'd-.csv']],
    ['d[!0-2].csv', ['d3.csv'], ['d1.csv', 'd/.csv']],
    ['d[]a]', ['d]', 'da'], ['d[']],
    ['d[a', ['d[a'], ['da']],
    ['?', ['😀', 'é'], ['', 'ab', '/']],
    ['a+(b).c', ['a+(b).c'], ['aab.c', 'a+(b)xc']]
  ] as const) {
    it(`is ${pattern}`, () => {
      for (const key of yes) assert.equal(parsePattern(pattern).matches(key), true, key)
      for (const key of no) assert.equal(parsePattern(pattern).matches(key), false, key)
    })
  }

  it('may meet another wherever a key matches both', () => {
    const part = fc.constantFrom('a', 'b', ']', '*', '?', '[ab]', '[!a]', '[]a]', '[', '**', '**/', '/')
    const pattern = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''))
    const key = fc.string({ unit: fc.constantFrom('a', 'b', ']', '[', '/'), maxLength: 5 })
    const property = fc.property(pattern, pattern, key, (one, other, candidate) => {
      fc.pre(parsePattern(one).matches(candidate) && parsePattern(other).matches(candidate))
      assert.ok(mayMeet(one, other) && mayMeet(other, one), `${one} and ${other} match ${candidate}`)
    })
    fc.assert(property, { numRuns: 1000, maxSkipsPerRun: 1000 })
    for (const [one, other] of [
      ['pub/**', 'pj/**'],
      ['out/*.csv', 'out/*.parquet']
    ] as const) {
      assert.equal(mayMeet(one, other), false, `${one} ${other}`)
    }
  })

  it('takes no longer for being malicious', async () => {
    const { matches } = parsePattern('*a'.repeat(100))
    assert.equal(await within(1000, () => matches(`${'a'.repeat(1000)}b`)), false)
  })
})
