import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { matching } from './matching.ts'

/** By trying all. */
function mostPairs(allowed: boolean[][], row = 0, taken = new Set<number>()): number {
  if (row === allowed.length) return 0
  let most = mostPairs(allowed, row + 1, taken)
  for (const [column, isAllowed] of (allowed[row] as boolean[]).entries()) {
    if (!isAllowed || taken.has(column)) continue
    most = Math.max(most, 1 + mostPairs(allowed, row + 1, new Set([...taken, column])))
  }
  return most
}

test('pairs are allowed, as many as can be, and nothing is in two', () => {
  const grids = fc
    .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
    .chain(([rows, columns]) =>
      fc.array(fc.array(fc.boolean(), { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows })
    )
  fc.assert(
    fc.property(grids, (allowed) => {
      const columns = matching(allowed, allowed[0]?.length ?? 0)
      const pairs = [...columns.entries()].filter(([, column]) => column !== -1)
      assert.ok(pairs.every(([row, column]) => allowed[row]?.[column]))
      assert.equal(new Set(pairs.map(([, column]) => column)).size, pairs.length)
      assert.equal(pairs.length, mostPairs(allowed))
    }),
    { numRuns: 300 }
  )
})
