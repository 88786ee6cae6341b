// Once: it starts processes that run pipelines, and calls servers of its own.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { readMetrics } from '../../../../test/support/metrics.ts'
import { hostsOf } from '../../../../test/support/pipelines/hosts-of.ts'

describe('who watches pipelines', () => {
  let test: TestApp
  let answerStatus = 204
  const server = createServer((request, response) =>
    request.resume().once('end', () => response.writeHead(answerStatus).end())
  )

  before(async () => {
    test = await startTestApp({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
    await test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'watched' } })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  after(async () => {
    server.close()
    await test.close()
  })

  const call = (method: string, path: string, body?: unknown) =>
    test.call(method, `/api/pipelines${path}`, { as: 'editor', body })
  const reach = (id: string, status: string) =>
    eventually(async () => {
      const { body } = await call('GET', `/${id}`)
      assert.equal(body.status, status, JSON.stringify(body.error))
      return true
    })
  async function started(name: string, nodes: unknown, status: string): Promise<string> {
    const { body, text } = await call('POST', '', { name, nodes })
    assert.ok(body.id, text)
    await call('POST', `/${body.id}/start`)
    await reach(body.id, status)
    return body.id
  }
  /** Looked at at most once a second. */
  const healthBecomes = (status: string) =>
    eventually(async () => {
      const { body } = await test.call('GET', '/api/health')
      assert.equal(body.checks.pipelines.status, status, JSON.stringify(body.checks.pipelines))
      return body
    })

  const generate = (count: number) => ({ id: 'gen', type: 'generate', config: { fields: { n: 'n' }, count } })
  const http = (input: string) => {
    const { port } = server.address() as AddressInfo
    return { id: 'out', type: 'http', config: { url: `http://127.0.0.1:${port}/` }, inputs: [input] }
  }
  const objects = (input: string) => {
    const config = { bucket: 'watched', prefix: 'x/', format: 'ndjson' }
    return { id: 'out', type: 'object', config, inputs: [input] }
  }

  it('reads what became of records, of runs, and what waits', async () => {
    const before = await readMetrics(test)
    assert.equal(before.get('millrace_pipeline_records_read_total'), 0)
    const nodes = (where: string) => [
      generate(1000),
      { id: 'low', type: 'filter', config: { where: 'n < 700' }, inputs: ['gen'] },
      { id: 'cast', type: 'map', config: { select: { n: where } }, inputs: ['low'] },
      objects('cast')
    ]
    const id = await started('counted', nodes("(CASE WHEN n < 5 THEN 'x' ELSE '1' END)::INTEGER"), 'completed')
    const ran = await readMetrics(test)
    const records = (metrics: ReadonlyMap<string, number>) =>
      ['read', 'written', 'filtered', 'dead_lettered'].map((name) =>
        metrics.get(`millrace_pipeline_records_${name}_total`)
      )
    assert.deepEqual(records(ran), [1000, 695, 300, 5])
    assert.equal(ran.get('millrace_pipeline_dead_letters_waiting'), 5)
    assert.equal(ran.get('millrace_pipelines{state="completed"}'), 1)
    assert.equal(ran.get('millrace_pipelines{state="running"}'), 0)
    assert.equal(ran.get('millrace_pipeline_runs_ended_total{kind="normal",outcome="completed"}'), 1)
    assert.equal(ran.get('millrace_pipeline_hosts'), 1)
    assert.ok((ran.get('millrace_pipeline_hosts_memory_bytes') as number) > 10_000_000)
    const checkpoints = ran.get('millrace_pipeline_checkpoint_duration_seconds_count') as number
    assert.ok(checkpoints >= 1)
    assert.equal(ran.get('millrace_pipeline_checkpoint_duration_seconds_bucket{le="+Inf"}'), checkpoints)

    await call('PUT', `/${id}`, { nodes: nodes('n') })
    assert.equal((await call('POST', `/${id}/dead-letters/replay`)).body.replayed, 5)
    await eventually(async () => {
      const replayed = await readMetrics(test)
      assert.equal(replayed.get('millrace_pipeline_runs_ended_total{kind="replay",outcome="completed"}'), 1)
      assert.equal(replayed.get('millrace_pipeline_dead_letters_waiting'), 0)
      assert.deepEqual(records(replayed), [1005, 700, 300, 5])
      return true
    })
  })

  it('reads how far sources are behind, and how runs end that are stopped', async () => {
    await test.call('PUT', '/api/buckets/watched/objects/in/a.csv', { as: 'editor', body: 'a\n1\n' })
    const file = { id: 'in', type: 'file', config: { reference: 'object://watched/in/*.csv', watch: true } }
    const id = await started('watch', [file, objects('in')], 'running')
    await eventually(async () => (await readMetrics(test)).has('millrace_pipeline_lag_seconds'))
    await call('POST', `/${id}/stop`)
    await reach(id, 'stopped')
    const metrics = await readMetrics(test)
    assert.equal(metrics.get('millrace_pipeline_runs_ended_total{kind="normal",outcome="stopped"}'), 1)
    assert.ok(!metrics.has('millrace_pipeline_lag_seconds'))
  })

  it('is not woken by one that failed at once, and is by one that had worked', async () => {
    answerStatus = 401
    await started('never worked', [generate(10), http('gen')], 'failed')
    const metrics = await readMetrics(test)
    assert.equal(metrics.get('millrace_pipeline_runs_ended_total{kind="normal",outcome="failed"}'), 1)
    assert.deepEqual(
      [metrics.get('millrace_pipelines{state="failed"}'), metrics.get('millrace_pipelines_given_up')],
      [1, 0]
    )
    assert.equal((await test.call('GET', '/api/health')).body.checks.pipelines.status, 'ok')

    answerStatus = 204
    const webhook = { id: 'in', type: 'webhook' }
    const id = await started('worked', [webhook, http('in')], 'running')
    assert.equal((await call('POST', `/${id}/nodes/in/records`, [{ n: 1 }])).body.accepted, 1)
    answerStatus = 401
    await call('POST', `/${id}/nodes/in/records`, [{ n: 2 }])
    await reach(id, 'failed')
    assert.ok(test.logged.some((line) => line.includes('"a pipeline failed"') && line.includes(id)))
    const { status, checks } = await healthBecomes('degraded')
    assert.deepEqual(
      [status, checks.pipelines.message],
      ['degraded', 'should run and failed: 1 pipeline (start or delete each of GET /api/pipelines?status=failed)']
    )
    assert.equal((await test.call('GET', '/api/health/ready')).status, 200)
    const degraded = await readMetrics(test)
    assert.equal(degraded.get('millrace_pipelines_given_up'), 1)
    assert.equal(degraded.get('millrace_health_check{check="pipelines"}'), 0.5)
    answerStatus = 204
    await call('POST', `/${id}/start`)
    await healthBecomes('ok')
    const mended = await readMetrics(test)
    assert.equal(mended.get('millrace_pipelines_given_up'), 0)
    assert.equal(mended.get('millrace_health_check{check="pipelines"}'), 1)
    await reach(id, 'running')
    assert.equal((await call('POST', `/${id}/nodes/in/records`, [{ n: 3 }])).body.accepted, 1)
    answerStatus = 401
    await call('POST', `/${id}/nodes/in/records`, [{ n: 4 }])
    await reach(id, 'failed')
    await healthBecomes('degraded')
    await call('DELETE', `/${id}`)
    await healthBecomes('ok')
  })

  it('is told that processes keep ending, and that runs do not get on', async () => {
    answerStatus = 503
    const id = await started('killed', [generate(10), http('gen')], 'running')
    for (let deaths = 1; deaths <= 3; deaths++) {
      await eventually(() => hostsOf(process.pid).length > 0)
      for (const pid of hostsOf(process.pid)) process.kill(pid, 'SIGKILL')
      await eventually(async () => (await readMetrics(test)).get('millrace_pipeline_hosts_died_total') === deaths)
    }
    const { checks, status } = await healthBecomes('degraded')
    assert.equal(status, 'degraded')
    assert.match(checks.pipelines.message, /processes that run pipelines keep ending/)
    await eventually(async () => {
      const metrics = await readMetrics(test)
      assert.equal(metrics.get('millrace_pipelines_in_trouble'), 1)
      assert.ok((metrics.get('millrace_pipeline_runs_restarted_total') as number) >= 1)
      return true
    })
    const text = await eventually(async () => {
      const { body, text } = await test.call('GET', '/api/health')
      assert.match(body.checks.pipelines.message, /tried again and again: 1 pipeline/)
      return text
    })
    assert.doesNotMatch(text, /killed|127\.0\.0\.1|"out"/)
    await call('POST', `/${id}/stop`)
    await reach(id, 'stopped')
  })
})
