import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NodeFault } from './nodes/context.ts'
import { checkedInTrial } from './trial-check.ts'

const nodes = [{ id: 'in', type: 'webhook', config: {}, inputs: [] }]
const failing = (kind: 'transient' | 'fatal', code: string) => () => Promise.reject(new NodeFault(kind, code, 'It did'))

test('SQL that takes too long or too much to be checked is wrong', async () => {
  for (const code of ['too_long', 'too_large']) {
    const [problem, ...others] = await checkedInTrial(nodes, failing('fatal', code))
    assert.deepEqual([problem?.nodeId, others], ['in', []])
    assert.match(String(problem?.message), /could not be checked, make them simpler/)
  }
})

test('that many check at once is no fault of the SQL', async () => {
  await assert.rejects(checkedInTrial(nodes, failing('transient', 'busy')), { code: 'busy' })
})
