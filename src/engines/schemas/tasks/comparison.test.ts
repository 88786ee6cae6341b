import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Difference, Rule } from '../format.ts'
import { mergeDifferences } from './comparison.ts'

const rule = (code: string, breaks: boolean, assumes?: string): Rule => ({
  code: `avro.${code}`,
  breaks,
  ...(assumes !== undefined && { assumes }),
  sentence: '{reader} reads {writer}',
  message: (_difference, { writer, reader }) => `${reader} reads ${writer}`
})
const raised = rule('raised', false, 'that holds')
const lowered = rule('lowered', true)
const added = rule('added', false)
const removed = rule('removed', true)
const who = { writer: 'version 1', reader: 'version 2' }
const merge = (backward: Difference[], forward: Difference[]) => mergeDifferences(backward, forward, who)

describe('the comparison of two schemas', () => {
  it('makes one change of what both directions see, under the rule that breaks', () => {
    const { changes, compatible } = merge(
      [{ rule: raised, path: '/a', before: 5, after: 10 }],
      [{ rule: lowered, path: '/a', before: 10, after: 5 }]
    )
    assert.deepEqual(changes, [
      {
        kind: 'changed',
        path: '/a',
        before: 5,
        after: 10,
        breaking: { backward: false, forward: true },
        rule: 'avro.lowered',
        message: 'version 1 reads version 2'
      }
    ])
    assert.deepEqual(compatible, { backward: true, forward: false, full: false })
  })

  it('knows what was added by what was removed, though each side shows something else of it', () => {
    const { changes } = merge(
      [{ rule: added, path: '/a', after: 'its default' }],
      [{ rule: removed, path: '/a', before: 'its type' }]
    )
    assert.equal(changes.length, 1)
    assert.deepEqual([changes[0]?.kind, changes[0]?.after, changes[0]?.before], ['added', 'its default', null])
  })

  it('keeps what only one direction sees, and several changes at one place', () => {
    const { changes, compatible } = merge(
      [
        { rule: raised, path: '/a', before: 1, after: 2 },
        { rule: lowered, path: '/a', before: 'x', after: 'y' }
      ],
      [
        { rule: lowered, path: '/a', before: 'y', after: 'x' },
        { rule: removed, path: '/b', before: 'b' }
      ]
    )
    assert.deepEqual(
      changes.map(({ kind, path, breaking, assumes }) => [kind, path, breaking.backward, breaking.forward, assumes]),
      [
        ['changed', '/a', false, false, 'that holds'],
        ['changed', '/a', true, true, undefined],
        ['added', '/b', false, true, undefined]
      ]
    )
    assert.deepEqual(compatible, { backward: false, forward: false, full: false })
  })
})
