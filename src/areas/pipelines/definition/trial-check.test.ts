import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NodeFault } from '../contract/context.ts'
import { checkedInTrial } from './trial-check.ts'

const nodes = [{ id: 'in', type: 'webhook', config: {}, inputs: [] }]
const failing = (kind: 'transient' | 'fatal', code: string) => () => Promise.reject(new NodeFault(kind, code, 'It did'))

test('SQL that takes too long or too much to be checked is wrong', async () => {
  for (const code of ['too_long', 'too_large']) {
    const [problem, ...others] = await checkedInTrial(nodes, failing('fatal', code))
    assert.deepEqual([problem?.nodeId, others], ['in', []])
    assert.match(String(problem?.message), /could not be checked, make it simpler/)
  }
})

test('what is between sources and sinks is to blame, by name', async () => {
  const node = (id: string, ...inputs: string[]) => ({ id, type: 'sql', config: {}, inputs })
  const one = await checkedInTrial([node('in1'), node('s', 'in1'), node('out', 's')], failing('fatal', 'too_long'))
  assert.deepEqual([one[0]?.nodeId, /SQL or the schema of this node/.test(String(one[0]?.message))], ['s', true])
  const chain = [node('in1'), node('s', 'in1'), node('t', 's'), node('out', 't')]
  const [several] = await checkedInTrial(chain, failing('fatal', 'too_large'))
  assert.equal(several?.nodeId, 's')
  assert.match(String(several?.message), /of one of s, t could not/)
})

test('that many check at once is no fault of the SQL', async () => {
  await assert.rejects(checkedInTrial(nodes, failing('transient', 'busy')), { code: 'busy' })
})
