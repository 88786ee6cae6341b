// Once: what is proven is about processes; the part about replicas brings its own PostgreSQL.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type Collector, startCollector } from '../support/pipelines/collector.ts'
import { hostsOf } from '../support/pipelines/hosts-of.ts'
import { p99Of } from '../support/pipelines/latency.ts'
import { openSite, type Site } from '../support/pipelines/site.ts'
import { assertMs } from '../support/yardstick.ts'

const STOP_LIMIT_MS = 5000
const TRUTH_LIMIT_MS = 10_000
const MAX_P99_MS = 100

/** Hours, for a single record of those from the 2000th on. */
const ENDLESS = 'FROM input a, range(10000000) x, range(10000000) y WHERE a.n >= 2000 AND a.n + x.range * y.range = -1'

describe('whatever the nodes of a pipeline do', () => {
  let site: Site
  let collector: Collector<{ n: number }>

  before(async () => {
    // All pipelines in one process, and little memory, which is used up sooner.
    site = await openSite({ PIPELINE_PROCESSES: '1', PIPELINE_MEMORY_MB: '128' })
    collector = await startCollector()
    await site.client.post('/buckets', { name: 'proofs' })
  })
  after(async () => {
    await site.close()
    await collector.close()
  })

  const generate = (config: object = {}) => ({
    id: 'gen',
    type: 'generate',
    config: { fields: { n: 'n' }, ratePerS: 5000, ...config }
  })
  const sql = (query: string) => ({ id: 'make', type: 'sql', config: { query }, inputs: ['gen'] })
  const objects = (prefix: string) => ({
    id: 'out',
    type: 'object',
    config: { bucket: 'proofs', prefix, format: 'ndjson' },
    inputs: ['make']
  })
  const steady = (url: string) => [
    generate({ ratePerS: 50 }),
    { id: 'out', type: 'http', config: { url }, inputs: ['gen'] }
  ]
  /** It works on a batch that it will not be done with. */
  const isBusy = (id: string) =>
    eventually(async () => {
      const { run } = await site.client.get(`/pipelines/${id}`)
      return run.recordsUnderWay > 0 && run.ledger.recordsRead + run.recordsUnderWay > 2000
    })

  async function written(prefix: string): Promise<number[]> {
    const { objects } = await site.client.get(`/buckets/proofs/objects?prefix=${prefix}&limit=1000`)
    const texts: string[] = await Promise.all(
      objects.map(({ name }: { name: string }) =>
        site.client.text(`/buckets/proofs/objects/${encodeURIComponent(name)}`)
      )
    )
    const lines = texts.flatMap((text) => text.trim().split('\n'))
    return lines.map((line) => JSON.parse(line).n).sort((a, b) => a - b)
  }

  it('stops in the middle of a batch, and goes on from the last checkpoint', async (t) => {
    const count = 4000
    const nodes = (query: string) => [generate({ count }), sql(query), objects('resumed/')]
    const id = await site.launch('huge batch', nodes(`SELECT n FROM input UNION ALL SELECT a.n ${ENDLESS}`))
    await isBusy(id)
    const askedMs = performance.now()
    await site.stop(id, STOP_LIMIT_MS)
    const tookMs = performance.now() - askedMs
    t.diagnostic(`stopped in ${Math.round(tookMs)} ms`)
    assert.ok(tookMs < STOP_LIMIT_MS, `${tookMs} ms`)
    const first = (await site.client.get(`/pipelines/${id}`)).run
    assert.deepEqual([first.status, first.balanced], ['stopped', true])
    assert.ok(first.ledger.recordsRead <= 2000, 'what it was at does not count')

    await replaceNodes(site, id, nodes('SELECT n FROM input'))
    await site.client.post(`/pipelines/${id}/start`)
    const { run } = await site.reach(id, 'completed')
    assert.ok(run.ledger.recordsRead < count, 'it did not begin at the beginning')
    assert.equal(first.ledger.recordsRead + run.ledger.recordsRead, count)
    assert.equal(run.balanced, true)
    assert.deepEqual(await written('resumed/'), [...Array(count).keys()])
  })

  it('is not running while its process is gone, and soon again', async (t) => {
    const id = await site.launch('killed', steady(collector.url))
    await site.reach(id, 'running')
    const killedMs = performance.now()
    for (const pid of hostsOf(site.server.pid)) process.kill(pid, 'SIGKILL')
    const { error } = await site.reach(id, 'starting', TRUTH_LIMIT_MS)
    t.diagnostic(`known after ${Math.round(performance.now() - killedMs)} ms`)
    assert.equal(error.code, 'worker_died')
    await site.reach(id, 'running', TRUTH_LIMIT_MS)
    t.diagnostic(`running after ${Math.round(performance.now() - killedMs)} ms`)
    await site.stop(id)
  })

  it('fails for good, naming the node, where its SQL never works', async () => {
    // Whether a table has this column is only known once there are records.
    const id = await site.launch('wrong', [generate(), sql('SELECT missing FROM input'), objects('wrong/')])
    const { error, run } = await site.reach(id, 'failed')
    assert.deepEqual([error.code, error.nodeId, run.status], ['sql_error', 'make', 'failed'])
    assert.match(error.message, /missing/)
    await eventually(async () =>
      (await site.logOf(id)).some(({ level, message }) => level === 'error' && message.includes('Failed at make'))
    )
  })

  it('does not take the server down by using up all memory', async () => {
    const query = "SELECT list(repeat('x', 1000) || a.n || b.n) AS all_of_them FROM input a, input b"
    const id = await site.launch('greedy', [generate({ ratePerS: 100_000 }), sql(query), objects('greedy/')])
    const error = await eventually(async () => {
      const found = await site.client.get(`/pipelines/${id}`)
      return found.error !== null && found.error
    }, 30_000)
    assert.deepEqual([error.code, error.nodeId], ['out_of_memory', 'make'])
    assert.equal((await site.client.get('/health')).status, 'ok')
    await site.stop(id, STOP_LIMIT_MS)
    // And those beside it work.
    const beside = await site.launch('modest', [
      generate({ count: 10 }),
      sql('SELECT n FROM input'),
      objects('modest/')
    ])
    await site.reach(beside, 'completed')
  })

  it('delays neither other pipelines in its process nor the API', async (t) => {
    const id = await site.launch('endless', [generate(), sql(`SELECT a.n ${ENDLESS}`), objects('endless/')])
    await isBusy(id)
    const fromMs = performance.now()
    const other = await site.launch('steady', steady(collector.url))
    await site.reach(other, 'running')
    assert.equal(hostsOf(site.server.pid).length, 1, 'they share a process')
    for (const path of ['/health', '/pipelines']) {
      const p99Ms = await p99Of(() => site.client.get(path))
      t.diagnostic(`GET ${path}: p99 ${p99Ms.toFixed(1)} ms`)
      assertMs(p99Ms, MAX_P99_MS)
    }
    await eventually(() => collector.requests.filter(({ atMs }) => atMs > fromMs).length > 10)
    const times = collector.requests.map(({ atMs }) => atMs).filter((atMs) => atMs > fromMs)
    const gaps = times.slice(1).map((atMs, i) => atMs - (times[i] as number))
    t.diagnostic(`longest silence of the other: ${Math.round(Math.max(...gaps))} ms`)
    assertMs(Math.max(...gaps), 2000)
    assert.equal((await site.client.get(`/pipelines/${id}`)).status, 'running')
    await site.stop(other)
    await site.stop(id, STOP_LIMIT_MS)
  })

  it('ends with the server that is killed, whatever statement is under way', async () => {
    const id = await site.launch('orphan', [generate(), sql(`SELECT a.n ${ENDLESS}`), objects('orphan/')])
    await isBusy(id)
    const [host = 0] = hostsOf(site.server.pid)
    process.kill(site.server.pid, 'SIGKILL')
    try {
      await eventually(() => !existsSync(`/proc/${host}`), STOP_LIMIT_MS)
    } catch (error) {
      process.kill(host, 'SIGKILL')
      throw error
    }
  })
})

async function replaceNodes(site: Site, id: string, nodes: readonly object[]): Promise<void> {
  await site.client.put(`/pipelines/${id}`, JSON.stringify({ nodes }), 'application/json')
}
