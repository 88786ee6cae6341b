import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { mayMeet, parsePattern } from '../../../data/glob.ts'
import type { Label } from './labels.ts'
import { covers, MAX_LABELS, OwnerLabels } from './owner-labels.ts'

const label = (resource: string, rank: number, columns: readonly string[] = []): Label => {
  return { resource, level: `level ${rank}`, rank, withoutClearance: 'mask', columns }
}
const strictestFirst = (labels: readonly Label[]) => labels.toSorted((a, b) => b.rank - a.rank)

const paths = ['', 'a', 'b/a', 'b/c', 'b/**', '*', 'b/*', 'c/**', '[a]', 'a?'] as const
const path = fc.constantFrom(...paths)
const anyLabel = fc
  .tuple(path, fc.integer({ min: 0, max: 3 }), fc.constantFrom([], ['email']))
  .map(([at, rank, columns]) => label(at === '' ? 'bucket:b' : `object://b/${at}`, rank, columns))

/** The rules as they are told to people, without any index. */
function naive(labels: readonly Label[], asked: string, isKey: boolean): Label[] {
  const isPattern = (text: string) => /[*?[]/.test(text)
  return labels.filter(({ resource }) => {
    const own = resource.startsWith('object://b/') ? resource.slice('object://b/'.length) : ''
    if (own === '' || asked === '' || own === asked) return true
    const asksMany = isPattern(asked) && !isKey
    if (isPattern(own) && asksMany) return mayMeet(own, asked)
    return (isPattern(own) && parsePattern(own).matches(asked)) || (asksMany && parsePattern(asked).matches(own))
  })
}

describe('the labels of an owner', () => {
  it('touch what they are about, what contains it and what is a part of it, as plain rules say', () => {
    const property = fc.property(fc.array(anyLabel, { maxLength: 8 }), path, fc.boolean(), (found, asked, isKey) => {
      const labels = strictestFirst(found)
      const touching = new OwnerLabels(labels).touching(asked, isKey)
      assert.deepEqual(new Set(touching), new Set(naive(labels, asked, isKey)))
      assert.equal(touching.length, new Set(touching).size, 'each once')
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('of one folder touch nothing in another', () => {
    const labels = new OwnerLabels([label('object://b/pj/*', 30)])
    // As an output of a pipeline is asked for.
    assert.equal(labels.touching('pub/**pl_1-out-[0-9]*-[0-9]*.csv', false).length, 0)
    for (const asked of ['pj/**pl_1-out-[0-9]*-[0-9]*.csv', '**pl_1-out-[0-9]*-[0-9]*.csv', 'p[ju]/*', '**']) {
      assert.equal(labels.touching(asked, false).length, 1, asked)
    }
  })

  it('are told by name where that tells of no other data', () => {
    const asked = { scheme: 'object', owner: 'b' } as const
    for (const [resource, path, isTold] of [
      ['object://b/a', 'a', true],
      ['object://b/*', 'a', true],
      ['object://b/**', 'x/*', true],
      ['bucket:b', 'a', true],
      ['bucket:other', 'a', false],
      ['object://other/a', 'a', false],
      ['object://b/a', '*', false],
      ['object://b/a*', '*', false],
      ['object://b/a', '', false],
      ['series://b', 'a', false]
    ] as const) {
      assert.equal(covers({ resource }, { ...asked, path }), isTold, `${resource} ${path}`)
    }
  })

  it('tell the strictest of all, for those who need not look further', () => {
    assert.equal(new OwnerLabels([]).strictest, -1)
    assert.equal(new OwnerLabels(strictestFirst([label('bucket:b', 10), label('object://b/a', 30)])).strictest, 30)
  })

  it('are the strictest for everything where they are too many to tell apart', () => {
    const many = Array.from({ length: MAX_LABELS + 1 }, (_, n) => label(`object://b/${n}`, n === 7 ? 40 : 10, ['c']))
    const labels = new OwnerLabels(strictestFirst(many))
    assert.deepEqual(
      [labels.size, labels.touching('another', true).map(({ rank, columns }) => [rank, columns])],
      [1, [[40, []]]]
    )
  })
})
