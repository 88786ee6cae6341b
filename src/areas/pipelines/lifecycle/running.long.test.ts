// Once: it starts processes that run pipelines, which know nothing of the database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import type { NodeFigures } from '../runs/schema.ts'

describe('a pipeline that runs', () => {
  let test: TestApp
  let sourceId: string

  before(async () => {
    test = await startTestApp({ env: { MAX_WRITE_BYTES: '65536' } })
    await test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'results' } })
    sourceId = (await test.call('POST', '/api/catalog/sources', { as: 'editor', body: { name: 's' } })).body.id
  })
  after(() => test.close())

  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    test.call(method, `/api/pipelines${path}`, { as: 'editor', body, headers })

  async function make(name: string, nodes: unknown): Promise<string> {
    const { status, body, text } = await call('POST', '', { name, nodes })
    assert.equal(status, 201, text)
    return body.id
  }
  async function start(id: string, status: string, body?: unknown): Promise<void> {
    const started = await call('POST', `/${id}/start`, body)
    assert.equal(started.status, 202, started.text)
    await reach(id, status)
  }
  const reach = (id: string, status: string) =>
    eventually(async () => {
      const { body } = await call('GET', `/${id}`)
      assert.equal(body.status, status, JSON.stringify(body.error))
      return true
    })

  const objects = (input: string) => {
    return {
      id: 'out',
      type: 'object',
      config: { bucket: 'results', prefix: 'x/', format: 'parquet' },
      inputs: [input]
    }
  }
  const generate = {
    id: 'gen',
    type: 'generate',
    config: {
      fields: {
        t: "TIMESTAMP '2026-03-09 13:00:00' + INTERVAL (n) MINUTE",
        v: 'n::DOUBLE',
        x: "CASE n WHEN 5 THEN 'a' ELSE '1' END"
      },
      count: 120
    }
  }

  it('shows the first of many records, though all of them in order need more memory than there is', async () => {
    const fields = { t: "TIMESTAMP '2026-03-09' + INTERVAL (-n) SECOND", text: "repeat(md5('' || n), 64)" }
    const many = { id: 'gen', type: 'generate', config: { fields, count: 300_000 } }
    const id = await make('many', [many, objects('gen')])
    await start(id, 'completed')
    const { status, body } = await call(
      'GET',
      `/${id}/data?start=2026-03-01T00:00:00Z&end=2026-03-10T00:00:00Z&limit=2`
    )
    assert.deepEqual([status, body.truncated, body.timeColumn], [200, true, 't'], body.detail)
    assert.deepEqual(
      body.rows.map(({ t }: { t: string }) => t),
      ['2026-03-05T12:40:01.000Z', '2026-03-05T12:40:02.000Z']
    )
  })

  it('says when it starts that there is nothing to read, and remembers it', async () => {
    await test.call('PUT', '/api/buckets/results/objects/in/there.csv', { as: 'editor', body: 'a' })
    const read = (id: string, reference: string, watch = false) => ({ id, type: 'file', config: { reference, watch } })
    const files = [
      read('gone', 'object://results/in/*.json'),
      read('there', 'object://results/in/*.csv'),
      read('later', 'object://results/later/*', true)
    ]
    const sink = { ...objects('gone'), inputs: files.map(({ id }) => id) }
    const id = await make('nothing to read', [...files, sink])
    const { body } = await call('POST', `/${id}/start`)
    const message = 'object://results/in/*.json matches no object; there is nothing to read'
    assert.deepEqual(body.warnings, [{ nodeId: 'gone', code: 'nothing_matches', message }])
    assert.deepEqual(body.run.warnings, body.warnings)
    await reach(id, 'running')
    assert.deepEqual((await call('GET', `/${id}`)).body.run.warnings, body.warnings)
    assert.deepEqual((await call('GET', `/${id}/runs`)).body.runs[0].warnings, body.warnings)
    await call('POST', `/${id}/stop`)
    await reach(id, 'stopped')
  })

  it('accounts for every record, and its output is read as rows and in buckets', async () => {
    const map = { id: 'map', type: 'map', config: { keep: true, select: { y: 'x::INTEGER' } }, inputs: ['gen'] }
    const id = await make('objects', [generate, map, objects('map')])
    await start(id, 'completed')
    const { body } = await call('GET', `/${id}`)
    assert.deepEqual(
      [
        body.run.ledger.recordsRead,
        body.run.ledger.recordsWritten,
        body.run.ledger.recordsDeadLettered,
        body.run.balanced
      ],
      [120, 119, 1, true]
    )
    assert.deepEqual(
      body.nodeFigures.map((figures: NodeFigures) => {
        return [figures.id, figures.recordsIn, figures.recordsOut, figures.errors]
      }),
      [
        ['gen', 120, 120, 0],
        ['map', 120, 119, 1],
        ['out', 119, 119, 0]
      ]
    )
    const span = 'start=2026-03-09T13:00:00Z&end=2026-03-09T14:00:00Z'
    const buckets = (await call('GET', `/${id}/data?${span}&aggregation=30m&columns=v`)).body
    assert.deepEqual(buckets.series, [
      {
        tag: 'v',
        points: [
          { time: '2026-03-09T13:00:00.000Z', avg: 430 / 29, min: 0, max: 29, count: 29, first: 0, last: 29 },
          { time: '2026-03-09T13:30:00.000Z', avg: 44.5, min: 30, max: 59, count: 30, first: 30, last: 59 }
        ]
      }
    ])
    const rows = (await call('GET', `/${id}/data?${span}&limit=2`)).body
    assert.deepEqual([rows.rows.length, rows.truncated, rows.timeColumn, rows.rows[1].v], [2, true, 't', 1])
    assert.equal((await call('GET', `/${id}/data?${span}&columns=nope`)).status, 422)
    assert.equal((await call('GET', `/${id}/data?start=yesterday`)).body.errors[0].pointer, '/query/start')
  })

  it('writes times into texts as ISO 8601, and columns that name folders as they are', async () => {
    const few = { ...generate, config: { fields: { t: generate.config.fields.t, d: "DATE '2026-03-09'" }, count: 1 } }
    const sink = (format: string, more: object = {}) => {
      return {
        id: format,
        type: 'object',
        config: { bucket: 'results', prefix: `${format}/`, format, ...more },
        inputs: ['gen']
      }
    }
    const id = await make('times', [few, sink('csv'), sink('ndjson', { partitionBy: ['d'] })])
    await start(id, 'completed')
    const texts = await eventually(async () => {
      const list = '/api/buckets/results/objects?recursive=true&prefix='
      const found = await Promise.all(
        ['csv/', 'ndjson/d=2026-03-09/'].map((prefix) => test.call('GET', list + prefix, { as: 'viewer' }))
      )
      const names = found.flatMap(({ body }) => body.objects.map(({ name }: { name: string }) => name))
      assert.equal(names.length, 2)
      return Promise.all(
        names.map(async (name) => {
          const path = `/api/buckets/results/objects/${encodeURIComponent(name)}`
          return (await test.call('GET', path, { as: 'viewer' })).text
        })
      )
    })
    assert.deepEqual(texts, ['t,d\n2026-03-09T13:00:00Z,2026-03-09\n', '{"t":"2026-03-09T13:00:00Z"}\n'])
    const { body } = await call('GET', `/${id}/data?start=2026-03-09T00:00:00Z&end=2026-03-10T00:00:00Z`)
    assert.equal(body.timeColumn, 't')
  })

  it('takes records from requests, and refused ones again once they are replayed', async () => {
    const series = {
      id: 'out',
      type: 'series',
      config: { source: sourceId, time: 't', tag: "'temp'", value: 'n' },
      inputs: ['map']
    }
    const map = (n: string) => ({
      id: 'map',
      type: 'map',
      config: { select: { t: 't::TIMESTAMP', n } },
      inputs: ['in']
    })
    const id = await make('webhook', [{ id: 'in', type: 'webhook' }, map('v::DOUBLE'), series])
    const feed = (body: string | Buffer, headers = {}) =>
      fetchRecords(`${test.url}/api/pipelines/${id}/nodes/in/records`, body, headers)
    assert.equal((await feed('{}')).body.code, 'illegal_transition')
    await start(id, 'running')
    const time = new Date(Date.now() - 60_000).toISOString()
    const good = JSON.stringify({ t: time, v: '20' })
    assert.deepEqual((await feed(`${good}\n5\n`)).body, {
      accepted: 1,
      rejected: 1,
      errors: [{ line: 2, code: 'not_object', message: 'A record is a JSON object' }]
    })
    const packed = gzipSync(JSON.stringify([{ t: time, v: 'hot' }]))
    assert.equal((await feed(packed, { 'content-encoding': 'gzip' })).body.accepted, 1)
    assert.equal((await feed('nonsense')).body.code, 'no_records_accepted')
    assert.equal((await feed(gzipSync(Buffer.alloc(1_000_000, 32)), { 'content-encoding': 'gzip' })).status, 413)
    assert.equal((await call('POST', `/${id}/nodes/map/records`, {})).status, 404)
    const letters = (await call('GET', `/${id}/dead-letters?nodeId=map&replayed=false`)).body
    assert.deepEqual([letters.total, letters.deadLetters[0].record.v], [1, 'hot'])
    await call('POST', `/${id}/stop`)
    await reach(id, 'stopped')
    assert.equal(
      (
        await call('PUT', `/${id}`, {
          nodes: [{ id: 'in', type: 'webhook' }, map('coalesce(try_cast(v AS DOUBLE), 99)'), series]
        })
      ).status,
      200
    )
    await start(id, 'running')
    const replay = (await call('POST', `/${id}/dead-letters/replay`, { ids: [letters.deadLetters[0].id, 'dl_none'] }))
      .body
    assert.deepEqual(
      [replay.replayed, replay.waiting, replay.skipped.map((one: { code: string }) => one.code)],
      [1, 0, ['not_found']]
    )
    const again = (await call('POST', `/${id}/dead-letters/replay`, { ids: [letters.deadLetters[0].id] })).body
    assert.equal(again.skipped[0].code, 'already_replayed')
    const { columns, rows } = (await call('GET', `/${id}/data`)).body
    const { type } = columns.find(({ name }: { name: string }) => name === 'quality')
    assert.deepEqual([type, rows[0].quality], ['VARCHAR', 'good'])
    const { series: found } = (await call('GET', `/${id}/data?aggregation=1d`)).body
    assert.equal(found[0].tag, 'temp')
    assert.equal((await call('DELETE', `/${id}/dead-letters?nodeId=map&replayed=true`)).body.deleted, 1)
    await call('POST', `/${id}/stop`)
    await reach(id, 'stopped')
  })

  it('is told all that is wrong with its SQL at once', async () => {
    const filter = { id: 'odd', type: 'filter', config: { where: 'v >' }, inputs: ['gen'] }
    const broken = { ...generate, config: { fields: { v: 'sum(n)' } } }
    const { status, body } = await call('POST', '', { name: 'broken', nodes: [broken, filter, objects('odd')] })
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer)
    assert.deepEqual([status, pointers], [400, ['/nodes/0/config/fields/v', '/nodes/1/config/where']])
  })

  it('is shown what it would do, with samples', async () => {
    const filter = { id: 'high', type: 'filter', config: { where: 'v > 1' }, inputs: ['gen'] }
    const nodes = [generate, filter, objects('high')]
    const { body } = await call('POST', '/preview', { nodes, samples: { gen: [{ v: 1 }, { v: 2 }] } })
    const csv = { delimiter: ';', decimal: ',', nulls: ['n/a'], dateFormat: '%d.%m.%Y', encoding: 'latin-1' }
    const config = { reference: 'object://pipes/none.csv', columns: { v: 'DOUBLE', day: 'DATE' }, csv }
    const file = [
      { id: 'in', type: 'file', config },
      { ...(nodes.at(-1) as object), inputs: ['in'] }
    ]
    const samples = {
      in: [
        { v: '1,5', day: '31.12.2026', t: 'a;"b"', none: null },
        { v: 2.5, day: null, t: 'n/a' },
        { v: '1.5', day: '31.12.2026' }
      ]
    }
    const shown = (await call('POST', '/preview', { nodes: file, samples })).body.nodes[0]
    assert.deepEqual(
      [shown.records, shown.deadLetters.map(({ reason }: { reason: string }) => reason)],
      [
        [
          { v: 1.5, day: '2026-12-31', t: 'a;"b"', none: null },
          { v: 2.5, day: null, t: null, none: null }
        ],
        ['v: expected DOUBLE, got "1.5"']
      ]
    )
    const only = [
      { id: 'in', type: 'webhook' },
      { ...(nodes.at(-1) as object), inputs: ['in'] }
    ]
    const { columns: bare } = (await call('POST', '/preview', { nodes: only, samples: { in: [{ v: 1, w: null }] } }))
      .body.nodes[0]
    assert.deepEqual(bare.find(({ name }: { name: string }) => name === 'w').type, 'UNKNOWN')
    assert.deepEqual(body.nodes[1].records, [{ v: 2 }])
    for (const samples of [[], { high: [] }, { gen: [1] }, { gen: Array(1001).fill({}) }]) {
      assert.equal((await call('POST', '/preview', { nodes, samples })).status, 400)
    }
  })

  it('has no output to read where it only sends records elsewhere', async () => {
    const http = { id: 'out', type: 'http', config: { url: 'https://x.example' }, inputs: ['gen'] }
    const id = await make('elsewhere', [generate, http])
    assert.equal((await call('GET', `/${id}/data`)).body.code, 'no_readable_output')
  })

  async function fetchRecords(url: string, body: string | Buffer, headers: Record<string, string>) {
    const token = await test.token('sender', 'editor')
    const type = { 'content-type': 'application/x-ndjson', authorization: `Bearer ${token}` }
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...type, ...headers },
      body: new Uint8Array(Buffer.from(body))
    })
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
    return { status: response.status, body: (await response.json()) as any }
  }
})
