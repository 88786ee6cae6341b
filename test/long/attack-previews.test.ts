// Once: it is about processes, which no database has to do with.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { openSite, type Site } from '../support/pipelines/site.ts'
import { assertMs } from '../support/yardstick.ts'

const PREVIEWS = 40
/** Long before a preview is ended. */
const QUICK_MS = 8000
/** Without an attack it is a second or two. */
const MADE_WITHIN_MS = 9000
const ENDLESS = 'SELECT n, (SELECT sum(range % 7) FROM range(1000000000000)) AS s FROM input'

const source = { id: 'in', type: 'generate', config: { fields: { n: 'n' }, ratePerS: 50 } }
const out = (input: string) => ({
  id: 'out',
  type: 'object',
  config: { bucket: 'b-out', prefix: 'p/', format: 'ndjson' },
  inputs: [input]
})
const sql = (query: string) => ({ id: 'q', type: 'sql', config: { query }, inputs: ['in'] })

describe('many previews that take all their time', { timeout: 900_000 }, () => {
  let site: Site

  before(async () => {
    site = await openSite()
    await site.client.post('/buckets', { name: 'b-out' })
  })
  after(() => site.close())

  it('hold up neither who makes a pipeline nor those that run, and most are refused soon', async (t) => {
    const running = await site.launch('runs', [source, out('in')])
    const writtenBy = async (id: string) => (await site.client.get(`/pipelines/${id}`)).run.ledger.recordsWritten
    await eventually(async () => (await writtenBy(running)) > 0)
    await site.make('warm', [source, sql('SELECT n FROM input'), out('q')])

    const body = JSON.stringify({ nodes: [source, sql(ENDLESS), out('q')], samples: { in: [{ n: 1 }] } })
    const headers = { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' }
    const answers = Array.from({ length: PREVIEWS }, async () => {
      const sentMs = performance.now()
      const response = await fetch(`${site.server.url}/api/pipelines/preview`, { method: 'POST', headers, body })
      const { code } = (await response.json()) as { code: string }
      const retryAfter = response.headers.get('retry-after')
      return { status: response.status, code, retryAfter, tookMs: performance.now() - sentMs }
    })
    const before = await writtenBy(running)
    const askedMs = performance.now()
    const id = await site.launch('made meanwhile', [source, sql('SELECT n + 1 AS n FROM input'), out('q')])
    const madeMs = performance.now() - askedMs
    t.diagnostic(`made in ${Math.round(madeMs)} ms`)
    assertMs(madeMs, MADE_WITHIN_MS)
    await eventually(async () => (await writtenBy(running)) > before + 50, QUICK_MS * 2)
    await eventually(async () => (await writtenBy(id)) > 0)

    const all = await Promise.all(answers)
    const busy = all.filter(({ status }) => status === 503)
    assert.ok(busy.every(({ code, retryAfter }) => code === 'pipeline_busy' && Number(retryAfter) > 0))
    // Each is checked before it is refused, but none waits for those that take all their time.
    const longestMs = Math.max(...all.filter(({ status }) => status === 504).map(({ tookMs }) => tookMs))
    const soon = busy.filter(({ tookMs }) => tookMs < longestMs)
    t.diagnostic(`${soon.length} refused soon, ${busy.length} in all`)
    assert.ok(soon.length >= PREVIEWS - 10, `${soon.length} of ${PREVIEWS}`)
    assert.ok(all.some(({ status, code }) => status === 504 && code === 'query_timeout'))
    assert.deepEqual([...new Set(all.map(({ status }) => status))].sort(), [503, 504])
  })

  it('is told of a run whose statement takes minutes what it is at, and since when', async () => {
    const id = await site.launch('endless', [source, sql(ENDLESS), out('q')])
    const { activity } = await eventually(async () => {
      const { run } = await site.client.get(`/pipelines/${id}`)
      return run.activity !== null && run
    }, 40_000)
    assert.equal(activity.nodeId, 'q')
    assert.match(activity.what, /^batch \d+$/)
    assert.ok(Date.now() - Date.parse(activity.since) > 9000, activity.since)
    await site.stop(id)
  })
})
