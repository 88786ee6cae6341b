import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import type { RunError } from '../store/rows.ts'
import type { PipelineState } from '../store/states.ts'
import { conditionOf } from './condition.ts'
import { checkPipelines } from './examine.ts'

describe('the doctor looks at pipelines', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
    await test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'sick' } })
  })
  after(() => test.close())

  const check = async () => {
    const { config, clock, vault, metadata } = test.platform
    const found = await checkPipelines({ config, clock, vault, metadata: metadata as never })
    return found.map(({ level, subject, message }) => `${level} ${subject}: ${message}`)
  }
  async function make(name: string): Promise<string> {
    const nodes = [
      { id: 'in', type: 'webhook' },
      { id: 'out', type: 'object', config: { bucket: 'sick', prefix: 'x/', format: 'csv' }, inputs: ['in'] }
    ]
    return (await test.call('POST', '/api/pipelines', { as: 'editor', body: { name, nodes } })).body.id
  }
  /** As the last run would have left it; no run is under way, so that nothing else writes there. */
  const leave = (id: string, status: PipelineState, error: RunError) =>
    test.platform.metadata.transaction((tx) =>
      tx
        .updateTable('pipelines')
        .set({ status, error: JSON.stringify(error) })
        .where('id', '=', id)
        .execute()
    )

  it('and finds nothing wrong where nothing is', async () => {
    assert.deepEqual(await check(), ['ok pipelines: none yet'])
    await make('well')
    assert.deepEqual(await check(), ['ok pipelines: 1 stopped; no dead letters wait'])
  })

  it('and says which failed, which do not get on, why, and what to do', async () => {
    const failed = await make('or"ders\u001b[31m')
    await leave(failed, 'failed', { code: 'status_401', message: 'It\u001b[2J said\n401', nodeId: 'out' })
    const since = '2026-03-09T13:00:00.000Z'
    const troubled = await make('slow')
    await leave(troubled, 'running', { code: 'unreachable', message: 'Away', nodeId: 'in', since, attempts: 4 })
    const accident = await make('accident')
    const now = new Date().toISOString()
    await leave(accident, 'running', { code: 'worker_died', message: 'x', nodeId: null, since: now, attempts: 1 })
    const count = { node_id: 'out', size_chars: 1 }
    await test.platform.metadata.transaction((tx) =>
      tx
        .insertInto('pipeline_letter_counts')
        .values([
          { ...count, pipeline_id: troubled, code: 'a', waiting: 2 },
          { ...count, pipeline_id: troubled, code: 'b', waiting: 3 },
          { ...count, pipeline_id: failed, code: 'a', waiting: 1 }
        ])
        .execute()
    )
    const named = '"or\\"ders\\u001b[31m"'
    assert.deepEqual(await check(), [
      `warn pipelines: ${named} failed at some time, node "out", status_401 (It [2J said 401): correct that, then POST /api/pipelines/${failed}/start goes on from its checkpoint`,
      `warn pipelines: "slow" tries the same since ${since}, 4 times, node "in", unreachable (Away): it goes on by itself once that works`,
      `warn pipelines: "slow" has 5 dead letter(s) that wait: GET /api/pipelines/${troubled}/dead-letters/summary says why; replay or delete them`,
      `warn pipelines: ${named} has 1 dead letter(s) that wait: GET /api/pipelines/${failed}/dead-letters/summary says why; replay or delete them`
    ])
  })

  it('and says nothing of what a failure quoted from data that not everybody may see', async () => {
    const nodes = [
      { id: 'in', type: 'file', config: { reference: 'object://sick/people.csv' } },
      { id: 'out', type: 'object', config: { bucket: 'sick', prefix: 'y/', format: 'csv' }, inputs: ['in'] }
    ]
    const { id } = (await test.call('POST', '/api/pipelines', { as: 'editor', body: { name: 'quoting', nodes } })).body
    await leave(id, 'failed', { code: 'sql_error', message: 'Could not convert "canary"', nodeId: 'in' })
    assert.match((await check()).join(), /Could not convert "canary"/)
    const label = { resource: 'object://sick/people.csv', level: 'confidential', columns: ['email'] }
    await test.call('POST', '/api/classification/resources', { as: 'admin', body: label })
    const found = (await check()).join()
    assert.doesNotMatch(found, /canary/)
    assert.match(found, /"quoting" failed .*, node "in", sql_error \(what it says may quote data that have a level/)
    await leave(id, 'stopped', { code: 'x', message: 'x', nodeId: null })
  })

  it('and counts one whose source has forgotten what comes next, though its run had just begun', async () => {
    const { db } = test.platform.metadata
    const givenUp = async () => (await conditionOf(db, Date.now())).givenUp
    const before = await givenUp()
    const id = await make('lost')
    await leave(id, 'failed', { code: 'x', message: 'x', nodeId: 'in' })
    assert.equal(await givenUp(), before)
    await leave(id, 'failed', { code: 'position_lost', message: 'The slot is gone', nodeId: 'in' })
    assert.equal(await givenUp(), before + 1)
    const wanted = `POST /api/pipelines/${id}/start with {"from": "beginning"} reads everything again`
    assert.ok((await check()).some((line) => line.endsWith(wanted)))
    await leave(id, 'stopped', { code: 'x', message: 'x', nodeId: null })
  })

  it('and names a few where there are many', async () => {
    for (let n = 0; n < 6; n++) await leave(await make(`f${n}`), 'failed', { code: 'x', message: 'x', nodeId: null })
    const found = await check()
    assert.equal(found.filter((line) => line.includes(' failed at ')).length, 5)
    assert.match(found.join('\n'), /2 more have failed: GET \/api\/pipelines\?status=failed has them/)
  })
})
