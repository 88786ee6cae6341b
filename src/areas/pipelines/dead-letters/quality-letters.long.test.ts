import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Letters, openLetters } from '../../../../test/support/pipelines/letters.ts'

describe('dead letters of a quality node', () => {
  let letters: Letters
  before(async () => {
    letters = await openLetters()
  })
  after(() => letters.close())

  const nodes = (prefix: string, config: object) => [
    {
      id: 'in',
      type: 'generate',
      config: { count: 10, fields: { n: 'n', v: 'CASE WHEN n < 2 THEN -n - 1 ELSE n END' } }
    },
    { id: 'q', type: 'quality', config, inputs: ['in'] },
    letters.out(prefix, 'q')
  ]
  const rules = [{ name: 'positive', type: 'range', config: { column: 'v', min: 0 } }]

  it('go on by themselves once they are corrected, and decide nothing where they are not', async () => {
    const id = await letters.make('gate', nodes('gate/', { rules, onFailure: 'stop', failThreshold: '50%' }))
    const { run } = await letters.start(id, 'completed')
    assert.deepEqual([run.ledger.recordsWritten, run.ledger.recordsDeadLettered, run.balanced], [8, 2, true])
    assert.equal((await letters.replay(id)).replayed, 2)
    assert.equal((await letters.written('gate/')).length, 8)
    assert.equal((await letters.replay(id, { set: { v: '-v' } })).replayed, 2)
    const rows = await letters.written('gate/')
    assert.deepEqual([rows.length, rows.every(({ v }) => Number(v) > 0)], [10, true])
  })

  it('are there when the run was stopped by them, and nothing else is', async () => {
    const id = await letters.make('stopped', nodes('stopped/', { rules, onFailure: 'stop' }))
    const { error } = await letters.start(id, 'failed')
    assert.deepEqual([error.code, error.nodeId], ['quality_failed', 'q'])
    assert.equal((await letters.call('GET', `/${id}/dead-letters`)).body.total, 2)
    assert.deepEqual(await letters.written('stopped/'), [])
  })
})
