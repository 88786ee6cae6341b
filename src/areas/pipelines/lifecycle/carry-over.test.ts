import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { PipelineNode } from '../contract/node-type.ts'
import { type Checkpoint, filesOf } from '../protocol/checkpoint.ts'
import { carryOver } from './carry-over.ts'

const node = (id: string, type: string, config: object, ...inputs: string[]): PipelineNode => {
  return { id, type, config: config as PipelineNode['config'], inputs }
}

const NODES = [
  node('in', 'file', { reference: 'object://a/*.csv' }),
  node('win', 'aggregate', { window: '1m', time: 't', select: { n: 'count(*)' } }, 'in'),
  node('out', 'object', { bucket: 'b', prefix: 'x/', format: 'csv' }, 'win')
]

const table = (name: string) => ({ rows: { files: [{ name, rows: 1 }], expired: null } })

const CHECKPOINT: Checkpoint = {
  epoch: 7,
  positions: { in: { seen: 3 } },
  memos: { win: { watermark: 5 }, out: { sinceMs: 1 } },
  tables: { win: table('file-win'), out: table('file-out') },
  publications: [{ file: 'file-pub', bucket: 'b', key: 'x/1.csv', contentType: 'text/csv' }]
}

const changed = (id: string, change: Partial<PipelineNode>) =>
  NODES.map((one) => (one.id === id ? { ...one, ...change } : one))

describe('a checkpoint that is carried over to a later version', () => {
  it('stays as it is where no node has changed, in whatever order they are now', () => {
    assert.deepEqual(carryOver(CHECKPOINT, NODES, NODES), CHECKPOINT)
    assert.deepEqual(carryOver(CHECKPOINT, NODES, NODES.toReversed()), CHECKPOINT)
  })

  it('forgets where a source was that reads something else now', () => {
    const carried = carryOver(CHECKPOINT, NODES, changed('in', { config: { reference: 'object://a/*.json' } }))
    assert.deepEqual(carried, { ...CHECKPOINT, positions: {} })
  })

  it('forgets what a transform held that does something else now', () => {
    const config = { window: '2m', time: 't', select: { n: 'count(*)' } }
    const carried = carryOver(CHECKPOINT, NODES, changed('win', { config }))
    assert.deepEqual([Object.keys(carried.tables), Object.keys(carried.memos)], [['out'], ['out']])
    assert.deepEqual(carried.positions, CHECKPOINT.positions)
  })

  it('keeps the records that wait in a sink which writes elsewhere now', () => {
    const carried = carryOver(CHECKPOINT, NODES, changed('out', { config: { bucket: 'c', prefix: '', format: 'csv' } }))
    assert.deepEqual(carried, CHECKPOINT)
  })

  it('forgets a node that is of another type or gone, but publishes what it had finished', () => {
    const other = carryOver(CHECKPOINT, NODES, changed('out', { type: 'http', config: { url: 'https://x' } }))
    assert.deepEqual(filesOf(other), ['file-win', 'file-pub'])
    assert.deepEqual(filesOf(carryOver(CHECKPOINT, NODES, [])), ['file-pub'])
    assert.deepEqual(filesOf(carryOver(CHECKPOINT, [], NODES)), ['file-pub'])
  })

  it('never remembers more than before, and nothing of nodes that are not there', () => {
    const edits = fc.subarray(['in', 'win', 'out', 'type', 'gone'])
    fc.assert(
      fc.property(edits, fc.constantFrom('in', 'win', 'out'), (ids, other) => {
        const edited = NODES.filter(({ id }) => !(ids.includes('gone') && id === other)).map((one) => {
          return ids.includes(one.id) ? { ...one, config: { ...one.config, edited: true } } : one
        })
        const carried = carryOver(CHECKPOINT, NODES, edited)
        const known = new Set(edited.map(({ id }) => id))
        for (const part of ['positions', 'memos', 'tables'] as const) {
          for (const [id, value] of Object.entries(carried[part])) {
            assert.ok(known.has(id))
            assert.deepEqual(value, CHECKPOINT[part][id])
          }
        }
        for (const id of Object.keys(CHECKPOINT.positions))
          assert.equal(id in carried.positions, known.has(id) && !ids.includes(id))
      })
    )
  })
})
