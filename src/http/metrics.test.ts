// Once: numbers of the process.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../test/support/app.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { parseMetrics, readMetricFamilies, readMetrics } from '../../test/support/metrics.ts'
import { ApiKeys } from '../areas/api-keys/service.ts'
import { createMetrics } from './metrics.ts'

describe('the metrics', () => {
  let test: TestApp
  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  it('are right from the first time that somebody asks, and where two ask at once', async () => {
    const before = process.cpuUsage()
    const first = await readMetrics(test)
    for (const [name, micros] of [
      ['user_', before.user],
      ['system_', before.system],
      ['', before.user + before.system]
    ] as const) {
      const seconds = first.get(`process_cpu_${name}seconds_total`) as number
      assert.ok(seconds >= micros / 1e6 && seconds < micros / 1e6 + 60, `${name} ${seconds}`)
    }
    for (const metrics of [first, ...(await Promise.all([readMetrics(test), readMetrics(test)]))]) {
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

describe('the metrics while the database does not answer', () => {
  const clock = new ManualClock()
  let test: TestApp
  const keys: Record<string, string> = {}
  before(async () => {
    test = await startTestApp({ clock })
    for (const name of ['seen', 'unseen', 'revoked', 'narrow']) {
      const scopes = [name === 'narrow' ? 'buckets:read' : 'metrics:read']
      const body = { name, role: 'viewer', scopes }
      const made = (await test.call('POST', '/api/api-keys', { as: 'admin', body })).body
      keys[name] = made.key
      if (name === 'unseen') continue
      assert.equal((await scrape(made.key)).status, name === 'narrow' ? 403 : 200)
      if (name === 'revoked') await test.call('DELETE', `/api/api-keys/${made.id}`, { as: 'admin' })
    }
    // Any revocation makes the server forget all known keys.
    for (const [name, key] of Object.entries(keys)) if (name !== 'unseen') await scrape(key)
  })
  after(async () => {
    const passing = setInterval(() => clock.advance(1000), 1)
    await test.close()
    clearInterval(passing)
  })
  const scrape = (token = '') => test.call('GET', '/metrics', { as: { token } })

  it('wait two seconds for one that says nothing', async (t) => {
    clock.advance(1000)
    const asked = Promise.withResolvers<void>()
    const silent = t.mock.method(ApiKeys.prototype, 'authenticate', () => {
      asked.resolve()
      return new Promise<never>(() => {})
    })
    let status: number | undefined
    const scraping = scrape(keys.seen).then((answer) => (status = answer.status))
    await asked.promise
    clock.advance(1999)
    assert.equal((await test.call('GET', '/api/health/live')).status, 200)
    assert.equal(status, undefined)
    clock.advance(1)
    assert.equal(await scraping, 200)
    silent.mock.restore()
    assert.equal((await scrape(keys.seen)).status, 200)
  })

  it('tell those who came lately that it is down, and let them do nothing else', async () => {
    await test.platform.metadata.close()
    clock.advance(1000)
    const { status, text } = await scrape(keys.seen)
    assert.equal(status, 200)
    assert.match(text, /^millrace_health_check\{check="metadata"\} 0$/m)
    assert.match(text, /^process_resident_memory_bytes /m)
    assert.doesNotMatch(text, /^millrace_jobs\{/m, 'what can’t be asked for is left out')
    assert.match(text, /^millrace_metrics_missing\{part="jobs"\} 1$/m)
    assert.match(text, /^millrace_metrics_missing\{part="data"\} 0$/m)
    await scrape(keys.seen)
    assert.equal(test.logged.filter((line) => line.includes('metrics of a part are left out')).length, 1)
    for (const path of ['/api/users/me', '/api/buckets', '/api/audit/logs']) {
      assert.equal((await test.call('GET', path, { as: { token: keys.seen as string } })).status, 503, path)
    }
  })

  it('are for nobody else', async () => {
    const statuses = await Promise.all(
      ['unseen', 'revoked', 'narrow'].map(async (name) => (await scrape(keys[name])).status)
    )
    // Not 403 for a key without the permission: a refusal needs an audit row, and the database can't take one.
    assert.deepEqual(statuses, [503, 503, 503])
    assert.equal((await test.call('GET', '/metrics', { as: 'admin' })).status, 503, 'not an API key')
    assert.equal((await test.call('GET', '/metrics')).status, 503)
  })

  it('are refused when the key has not been seen for 15 minutes', async () => {
    clock.advance(15 * 60_000 - 1001)
    assert.equal((await scrape(keys.seen)).status, 200)
    clock.advance(1)
    assert.equal((await scrape(keys.seen)).status, 503)
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
    const families = parseMetrics(await rendering)
    const missing = families.find(({ name }) => name === 'millrace_metrics_missing')
    assert.deepEqual(
      [...(missing?.samples.values() ?? [])].map(({ labels, value }) => [labels.part, value]),
      [
        ['good', 0],
        ['bad', 1],
        ['silent', 1]
      ]
    )
    const names = families.map(({ name }) => name)
    assert.ok(names.includes('good') && names.includes('http_request_duration_seconds'))
    assert.deepEqual(told.slice(2).sort(), ['bad', 'silent'])
  })
})
