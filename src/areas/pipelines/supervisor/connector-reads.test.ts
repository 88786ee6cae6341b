import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { emptyFigures } from '../protocol/ledger.ts'
import { ConnectorReads } from './connector-reads.ts'

it('connectors are told of that records came from, once a minute, and all of them when the run gets on', () => {
  const clock = new ManualClock()
  const told: string[] = []
  const node = (id: string, connectorId: string, inputs: string[] = []): PipelineNode =>
    ({ id, type: 'stream', config: { connectorId }, inputs }) as unknown as PipelineNode
  const nodes = [node('a', 'cn_a'), node('b', 'cn_b'), node('sink', 'cn_sink', ['a'])]
  const reads = new ConnectorReads({
    clock,
    nodes: () => nodes,
    async connectorWorks(id) {
      told.push(id)
      throw new Error('the database is away')
    }
  })
  const after = (recordsOut: number) => ({
    a: { ...emptyFigures(), recordsOut },
    sink: { ...emptyFigures(), recordsOut }
  })
  reads.committed({}, after(1))
  reads.committed(after(1), after(2))
  assert.deepEqual(told, ['cn_a'])
  clock.advance(60_000)
  reads.committed(after(2), after(2))
  assert.deepEqual(told, ['cn_a'])
  reads.committed(after(2), after(3))
  assert.deepEqual(told, ['cn_a', 'cn_a'])
  reads.getsOn()
  assert.deepEqual(told.slice(2), ['cn_a', 'cn_b'])
})
