import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nearestName } from './nearest-name.ts'

test('a name that is misspelt or cut short is recognized, and one that is another is not', () => {
  const names = ['celsius', 'press', 'nodeId', 'time']
  const cases: [string, string | undefined][] = [
    ['celcius', 'celsius'],
    ['CELSIUS', 'celsius'],
    ['node', 'nodeId'],
    ['pres', 'press'],
    ['tiem', 'time'],
    ['item', undefined],
    ['quality', undefined],
    ['x', undefined],
    ['', undefined]
  ]
  for (const [written, meant] of cases) assert.equal(nearestName(written, names), meant, written)
})

test('a name is nearest to itself', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 9 }), (names) => {
      const [first = ''] = names
      assert.equal(nearestName(first, names)?.toLowerCase(), first.toLowerCase())
    })
  )
})
