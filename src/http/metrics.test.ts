// Once: numbers of the process.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../test/support/app.ts'
import { parseMetrics, readMetricFamilies, readMetrics } from '../../test/support/metrics.ts'
import { createMetrics } from './metrics.ts'

describe('the metrics', () => {
  let test: TestApp
  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  it('are right from the first time that somebody asks, and where two ask at once', async () => {
    for (const metrics of [await readMetrics(test), ...(await Promise.all([readMetrics(test), readMetrics(test)]))]) {
      const lag = (name: string) => metrics.get(`nodejs_eventloop_lag_${name}seconds`) as number
      for (const name of ['', 'min_', 'max_', 'mean_', 'p50_', 'p99_']) {
        assert.ok(lag(name) > 0 && lag(name) < 60, `${name} ${lag(name)}`)
      }
      assert.ok((metrics.get('process_resident_memory_bytes') as number) > 10_000_000)
    }
  })

  it('end with _total where they are counters, and only there', async () => {
    const families = await readMetricFamilies(test)
    assert.ok(families.some(({ name }) => name.startsWith('nodejs_active_')))
    for (const { name, type } of families) assert.equal(name.endsWith('_total'), type === 'counter', name)
  })

  it('have no series for anything that users make', async () => {
    const seriesOf = async () => {
      const families = await readMetricFamilies(test)
      return families.flatMap(({ name, samples }) => (name.startsWith('millrace_') ? [...samples.keys()] : []))
    }
    await test.call('PUT', '/api/buckets/none/objects/x', { as: 'editor', body: 'x' })
    const before = await seriesOf()
    for (let n = 0; n < 5; n++) {
      await test.call('POST', '/api/buckets', { as: 'editor', body: { name: `bucket-${n}` } })
      await test.call('PUT', `/api/buckets/bucket-${n}/objects/x`, { as: 'editor', body: 'x' })
      await test.call('POST', '/api/catalog/sources', { as: 'editor', body: { name: `source-${n}` } })
    }
    assert.deepEqual(await seriesOf(), before)
  })
})

describe('a part of the metrics', () => {
  const part = (name: string, render: () => Promise<string>) => ({ name, render })
  const text = '# HELP good Fine\n# TYPE good gauge\ngood 1\n'

  it('that fails or does not answer is left out, and told', async (t) => {
    const told: string[] = []
    const parts = [
      part('good', async () => text),
      part('bad', () => Promise.reject(new Error('no'))),
      part('silent', () => new Promise<string>(() => {}))
    ]
    const metrics = createMetrics({ parts, report: (name) => told.push(name) })
    await metrics.render() // loads what it needs, in real time
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const rendering = metrics.render()
    t.mock.timers.tick(4000)
    const names = parseMetrics(await rendering).map(({ name }) => name)
    assert.ok(names.includes('good') && names.includes('http_request_duration_seconds'))
    assert.deepEqual(told.slice(2).sort(), ['bad', 'silent'])
  })
})
