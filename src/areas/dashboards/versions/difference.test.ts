import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Content, Panel } from '../model/schema.ts'
import { arbitraryContent } from '../testing/arbitrary.ts'
import { differenceOf } from './difference.ts'

const panel = (id: string, title = id): Panel => ({
  id,
  title,
  type: 'text',
  position: { x: 0, y: 0, w: 1, h: 1 },
  options: { text: '' }
})

const content = (panels: Panel[]): Content => ({
  name: 'a',
  description: '',
  folder: '',
  tags: [],
  panels,
  variables: [],
  timeRange: { from: '-6h', to: 'now' },
  timeZone: 'UTC',
  refreshSeconds: null,
  links: []
})

describe('the difference between two versions', () => {
  it('follows panels by their ids', () => {
    const before = content([panel('a'), panel('b'), panel('c')])
    const after = content([panel('c', 'C'), panel('a'), panel('d')])
    assert.deepEqual(differenceOf(before, after), [
      { path: '/panels/c/title', kind: 'changed', from: 'c', to: 'C' },
      { path: '/panels/d', kind: 'added', from: null, to: panel('d') },
      { path: '/panels/b', kind: 'removed', from: panel('b'), to: null },
      { path: '/panels/c', kind: 'moved', from: 1, to: 0 },
      { path: '/panels/a', kind: 'moved', from: 0, to: 1 }
    ])
  })

  it('is empty exactly where the contents are equal', () => {
    fc.assert(
      fc.property(arbitraryContent, arbitraryContent, (one, other) => {
        assert.deepEqual(differenceOf(one, structuredClone(one)), [])
        const same = JSON.stringify(one) === JSON.stringify(other)
        assert.equal(differenceOf(one, other).length === 0, same)
      })
    )
  })
})
