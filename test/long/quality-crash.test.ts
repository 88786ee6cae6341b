import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { clientOf } from '../support/pipelines/client.ts'
import { createInstallation, startServer } from '../support/process.ts'
import { makeToken } from '../support/token.ts'

const DATASET = 'object://lake/orders.csv'
const ENDLESS = 'SELECT d.* FROM dataset d, range(1000000000) x, range(1000000000) y WHERE x.range + y.range = -1'
/** What a status may take to become true. */
const TRUTH_WITHIN_MS = 10_000

test('an evaluation in a server that is killed is not under way any more, and has changed nothing', async () => {
  const { env, drop } = await createInstallation()
  const token = await makeToken(env, 'prover')
  let server = await startServer(env)
  try {
    let client = clientOf(server.url, token)
    await client.post('/buckets', { name: 'lake' })
    await client.put('/buckets/lake/objects/orders.csv', 'id,customer\n1,Ada\n2,\n', 'text/csv')
    const rule = (name: string, type: string, config: object) =>
      client.post('/quality/rules', { name, dataset: DATASET, type, config })
    const { id: quick } = await rule('quick', 'notNull', { column: 'customer' })
    await client.post('/quality/evaluate', { dataset: DATASET })
    const before = await client.get(`/quality/rules/${quick}`)
    assert.equal(before.status, 'failed')
    const { id: endless } = await rule('endless', 'sql', { query: ENDLESS })
    const evaluating = client.post('/quality/evaluate', { dataset: DATASET }).catch(() => 'cut off')
    const run = await eventually(async () => {
      const [found] = (await client.get('/quality/runs')).runs
      assert.equal(found?.doing, 'reading')
      return found
    })
    await server.stop('SIGKILL')
    assert.equal(await evaluating, 'cut off')
    server = await startServer(env)
    client = clientOf(server.url, token)
    await eventually(async () => assert.deepEqual((await client.get('/quality/runs')).runs, []), TRUTH_WITHIN_MS)
    await assert.rejects(client.post(`/quality/runs/${run.id}/cancel`))
    assert.deepEqual((await client.get(`/quality/results?evaluationId=${run.id}`)).results, [])
    assert.deepEqual(await client.get(`/quality/rules/${quick}`), before)
    assert.equal((await client.get(`/quality/rules/${endless}`)).status, null)
    const again = await client.post('/quality/evaluate', { dataset: DATASET, ruleIds: [quick] })
    assert.deepEqual([again.results[0].status, again.results[0].rowsFailed], ['failed', 1])
  } finally {
    await server.stop('SIGKILL')
    await drop()
  }
})
