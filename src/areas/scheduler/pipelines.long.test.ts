// Once: what runs is a pipeline, which is tried on both databases elsewhere.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'

let app: TestApp
let made = 0

before(async () => {
  app = await startTestApp()
  const { status } = await app.call('POST', '/api/buckets', { as: 'editor', body: { name: 'scheduled' } })
  assert.equal(status, 201)
})
after(() => app.close())

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function call(method: string, path: string, body?: unknown, status?: number): Promise<any> {
  const answer = await app.call(method, path, { as: 'editor', body })
  if (status !== undefined) assert.equal(answer.status, status, answer.text.slice(-400))
  return answer.body
}

/** A pipeline that makes so many records, or never ends. */
async function makePipeline(count?: number): Promise<string> {
  made += 1
  const nodes = [
    { id: 'source', type: 'generate', config: { fields: { n: '1' }, ratePerS: 100, ...(count && { count }) } },
    {
      id: 'out',
      type: 'object',
      config: { bucket: 'scheduled', prefix: `p${made}/`, format: 'ndjson' },
      inputs: ['source']
    }
  ]
  return (await call('POST', '/api/pipelines', { name: `pipeline ${made}`, nodes }, 201)).id
}

async function runNow(pipelineId: string, more: object = {}): Promise<{ schedule: string; path: string }> {
  const body = { name: `runs ${pipelineId}`, cron: '0 3 1 1 *', target: { type: 'pipeline', id: pipelineId }, ...more }
  const { id } = await call('POST', '/api/scheduler/schedules', body, 201)
  const run = await call('POST', `/api/scheduler/schedules/${id}/run`, undefined, 202)
  return { schedule: id, path: `/api/scheduler/schedules/${id}/history/${run.id}` }
}

const until = (path: string, state: string) =>
  eventually(async () => {
    const run = await call('GET', path)
    assert.equal(run.state, state, JSON.stringify(run))
    return run
  })

test('a run lasts as long as its pipeline, and tells what became of the records', async () => {
  const { path } = await runNow(await makePipeline(50))
  const run = await until(path, 'succeeded')
  assert.match(run.reason, /50 records read, 50 written, 0 dead-lettered/)
  assert.equal(run.link.type, 'pipeline')
  assert.ok(run.durationMs > 0)
})

test('a run that is cancelled stops its pipeline, and a second one is refused while it is under way', async () => {
  const pipeline = await makePipeline()
  const { schedule, path } = await runNow(pipeline)
  await until(path, 'running')
  const second = await call('POST', `/api/scheduler/schedules/${schedule}/run`, undefined, 409)
  assert.equal(second.code, 'schedule_busy')
  const inUse = await call('DELETE', `/api/pipelines/${pipeline}`)
  assert.ok(['in_use', 'illegal_transition'].includes(inUse.code), JSON.stringify(inUse))
  await call('POST', `${path}/cancel`, undefined, 202)
  const run = await until(path, 'cancelled')
  assert.match(run.reason, /Cancelled by/)
  assert.equal((await call('GET', `/api/pipelines/${pipeline}`)).status, 'stopped')
  assert.equal((await call('DELETE', `/api/pipelines/${pipeline}`, undefined, 409)).code, 'in_use')
})

test('a pipeline that takes longer than the schedule allows is stopped', async () => {
  const pipeline = await makePipeline()
  const { path } = await runNow(pipeline, { timeoutSeconds: 2 })
  const run = await until(path, 'timedOut')
  assert.equal(run.code, 'timeout')
  assert.equal((await call('GET', `/api/pipelines/${pipeline}`)).status, 'stopped')
})

test('a pipeline that somebody has started fails the run, with what to do', async () => {
  const pipeline = await makePipeline()
  await call('POST', `/api/pipelines/${pipeline}/start`, undefined, 202)
  const { path } = await runNow(pipeline)
  const run = await until(path, 'failed')
  assert.equal(run.code, 'pipeline_busy')
  await call('POST', `/api/pipelines/${pipeline}/stop`)
})
