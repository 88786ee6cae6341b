import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Effort } from '../fault.ts'
import { differences } from './compare/comparison.ts'
import { matching } from './compare/parts.ts'
import { parse } from './parse.ts'
import cases from './testing/cases.json' with { type: 'json' }
import { checkPair, pathsOf } from './testing/soundness.ts'

/** Cases in which our verdict is another one on purpose, by id, each with the reason. There are none. */
const OTHERWISE = new Map<string, string>()

test('public cases have the verdict that others give', () => {
  const wrong: string[] = []
  for (const { id, mode, old, new: fresh, compatible } of cases) {
    const [before, after] = mode === 'BACKWARD' ? [old, fresh] : [fresh, old]
    const found = differences(modelOf(before), modelOf(after), new Effort(100_000))
    const isOurs = !found.some(({ rule }) => rule.breaks)
    if ((isOurs === compatible) === OTHERWISE.has(id)) wrong.push(id)
  }
  assert.deepEqual(wrong, [])
  assert.equal(cases.length, 286)
})

function modelOf(text: string) {
  return parse({ text, dependencies: [] }, new Effort(100_000)).model
}

test('what is said not to break does not: values of the one schema are taken by the other', () => {
  let tried = 0
  const property = fc.property(fc.noBias(fc.nat()), (seed) => {
    tried += checkPair(seed, 30)?.tried ?? 0
  })
  fc.assert(property, { numRuns: 150, seed: 1 })
  assert.ok(tried > 1000)
})

test('a schema does not differ from itself, and changes have the same places in both directions', () => {
  let [same, all] = [0, 0]
  const property = fc.property(fc.noBias(fc.nat()), (seed) => {
    const paths = pathsOf(seed)
    if (paths === undefined) return
    assert.deepEqual(paths.itself, [])
    all++
    if (paths.forth.join() === paths.back.join()) same++
  })
  fc.assert(property, { numRuns: 150, seed: 1 })
  // Alternatives within alternatives can be paired in more than one way.
  assert.ok(same / all > 0.96, `${same} of ${all}`)
})

/** The largest number of pairs, found by trying all. */
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
