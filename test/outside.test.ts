// Once: what those see who look at a server from outside.
import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { objectsDir } from '../src/platform.ts'
import { startTestApp, type TestApp } from './support/app.ts'
import { makeSource, query, writeLines } from './support/catalog.ts'
import { eventually } from './support/eventually.ts'
import { ManualClock } from './support/manual-clock.ts'
import { readMetrics } from './support/metrics.ts'

const GIB = 1024 ** 3
const NOW = '2026-03-01T12:00:00.000Z'

let test: TestApp
const clock = new ManualClock(NOW)
let freeBytes = 50 * GIB

/** A store elsewhere that has every bucket, and nothing in them. */
const store: Server = createServer((request, response) => {
  const name = request.url?.split('/')[1]?.split('?')[0]
  const list = `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${name}</Name><KeyCount>0</KeyCount><MaxKeys>1</MaxKeys><IsTruncated>false</IsTruncated></ListBucketResult>`
  request.resume().once('end', () => {
    if (storeRefuses) response.writeHead(403, { 'content-type': 'application/xml' }).end(REFUSAL)
    else response.writeHead(200, { 'content-type': 'application/xml' }).end(request.method === 'GET' ? list : '')
  })
})
let storeRefuses = false
const REFUSAL =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>InvalidAccessKeyId</Code><Message>Unknown</Message></Error>'
let port: number
const listen = (at: number) => new Promise<void>((resolve) => store.listen(at, '127.0.0.1', resolve))

before(async () => {
  const env = { ALLOWED_HOSTS: '127.0.0.1', MAX_QUERY_POINTS: '50' }
  const diskSpace = async () => ({ freeBytes, totalBytes: 100 * GIB })
  test = await startTestApp({ clock, env, diskSpace })
  await listen(0)
  port = (store.address() as AddressInfo).port
})
after(async () => {
  store.close()
  store.closeAllConnections()
  const passing = setInterval(() => clock.advance(1000), 1)
  await test.close()
  clearInterval(passing)
})

/** What was found before is not kept for longer than a second. */
beforeEach(() => clock.advance(1000))

async function look(check: string) {
  const { body, text } = await test.call('GET', '/api/health')
  assert.ok(!text.includes('127.0.0.1') && !text.includes(test.database.folder), 'nothing about where things are')
  const gauge = (await readMetrics(test)).get(`millrace_health_check{check="${check}"}`)
  const { status, message } = body.checks[check]
  assert.equal(gauge, { ok: 1, degraded: 0.5, down: 0 }[status as 'ok'])
  return { whole: body.status as string, status: status as string, message: message as string | undefined }
}

/** Whatever is looked at in the background has been looked at. */
const settles = (check: string, status: string) =>
  eventually(async () => {
    clock.advance(1000)
    const found = await look(check)
    assert.equal(found.status, status, found.message ?? '')
    return found
  })

const metric = async (name: string) => (await readMetrics(test)).get(name)

describe('points', () => {
  it('are counted as they are written, refused and stored', async () => {
    assert.equal(await metric('millrace_points_stored'), undefined, 'nothing is opened to count it')
    const before = await metric('millrace_points_written_total')
    await makeSource(test, 'plant')
    const lines = Array.from({ length: 60 }, (_, n) => `press value=${n} ${Date.parse(NOW) - n * 1000}`)
    assert.equal((await writeLines(test, 'plant', lines.join('\n'))).status, 204)
    await writeLines(test, 'plant', 'press value= 1\n')
    assert.equal(await metric('millrace_points_written_total'), (before as number) + 60)
    assert.equal(await metric('millrace_points_refused_total'), 1)
    await eventually(async () => (await metric('millrace_points_stored')) === 60)
    assert.equal(await metric('millrace_sources_with_points'), 1)
    await writeLines(test, 'plant', `press value=1 ${Date.parse(NOW) + 1000}`)
    assert.equal(await metric('millrace_points_stored'), 60, 'not counted anew for everybody who asks')
    clock.advance(60_000)
    await eventually(async () => (await metric('millrace_points_stored')) === 61)
    assert.deepEqual((await look('series')).status, 'ok')
  })
})

describe('queries', () => {
  const count = (kind: string, outcome: string) =>
    metric(`millrace_query_duration_seconds_count{kind="${kind}",outcome="${outcome}"}`)

  it('of time series are timed, by how they ended', async () => {
    const { body } = await test.call('GET', '/api/catalog/sources', { as: 'viewer' })
    const sourceId = body.sources[0].id
    const ask = async (startTime: string) => (await query(test, { sourceId, startTime, endTime: NOW })).status
    assert.equal(await ask('2026-03-01T11:59:50Z'), 200)
    assert.deepEqual([await count('series', 'answered'), await count('series', 'failed')], [1, 0])
    assert.equal(await ask('2026-03-01T11:00:00Z'), 422, 'more points than are allowed')
    assert.deepEqual([await count('series', 'answered'), await count('series', 'failed')], [1, 1])
  })

  it('of SQL are timed, by how they ended', async () => {
    await test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'asked' } })
    const put = (key: string, body: string) =>
      test.call('PUT', `/api/buckets/asked/objects/${key}`, { as: 'editor', body })
    await put('a.ndjson', '{"n":1}\n')
    await put('b.parquet', 'no such thing')
    const infer = async (key: string) => {
      const body = { type: 'avro', reference: `object://asked/${key}` }
      return (await test.call('POST', '/api/schemas/infer', { as: 'editor', body })).status
    }
    assert.equal(await infer('a.ndjson'), 200)
    assert.deepEqual([await count('sql', 'answered'), await count('sql', 'failed')], [1, 0])
    assert.notEqual(await infer('b.parquet'), 200)
    assert.deepEqual([await count('sql', 'answered'), await count('sql', 'failed')], [1, 1])
  })
})

describe('objects', () => {
  it('are counted as they come, are replaced and go', async () => {
    await test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'counted' } })
    const stored = async () => [await metric('millrace_objects_stored'), await metric('millrace_objects_stored_bytes')]
    const [objects = 0, bytes = 0] = await stored()
    const put = (key: string, size: number) =>
      test.call('PUT', `/api/buckets/counted/objects/${key}`, { as: 'editor', body: 'x'.repeat(size) })
    await put('a', 10)
    await put('b', 100_000)
    assert.deepEqual(await stored(), [objects + 2, bytes + 100_010])
    await put('b', 50)
    assert.deepEqual(await stored(), [objects + 2, bytes + 60])
    await test.call('DELETE', '/api/buckets/counted/objects/b', { as: 'editor' })
    assert.deepEqual(await stored(), [objects + 1, bytes + 10])
  })

  it('that can’t be reached on the disk are told of in health, until they can', async () => {
    assert.equal((await look('objects')).status, 'ok')
    const index = join(objectsDir(test.platform.config), 'builtin', 'index.db')
    renameSync(index, `${index}.away`)
    const { whole, message } = await settles('objects', 'degraded')
    assert.equal(whole, 'degraded')
    assert.match(message ?? '', /give the folder 'objects' back to the user of the server, or restore it/)
    renameSync(`${index}.away`, index)
    await settles('objects', 'ok')
  })
})

describe('the disk', () => {
  it('is measured, and told of while there is little room', async () => {
    assert.equal((await look('disk')).status, 'ok')
    assert.equal(await metric('millrace_disk_total_bytes'), 100 * GIB)
    freeBytes = GIB - 1
    const { whole, message } = await settles('disk', 'degraded')
    assert.equal(whole, 'degraded')
    assert.equal(message, `The disk of DATA_DIR has ${GIB - 1} of ${100 * GIB} bytes left: make room, or give it more`)
    assert.equal(await metric('millrace_disk_free_bytes'), GIB - 1)
    freeBytes = 0
    assert.match((await settles('disk', 'degraded')).message ?? '', /is full: make room/)
    freeBytes = GIB
    await settles('disk', 'ok')
    assert.equal(await metric('millrace_disk_free_bytes'), GIB)
  })
})

describe('a storage provider', () => {
  const states = async () => {
    const metrics = await readMetrics(test)
    return ['reachable', 'away', 'refusing', 'full'].map((state) =>
      metrics.get(`millrace_storage_providers{state="${state}"}`)
    )
  }
  /** The next look is due, and is over. */
  const lookAgain = async (status: string) => {
    clock.advance(30_000)
    return settles('storage', status)
  }

  it('that is away, or refuses, is told of with what to do, until it answers again', async () => {
    const credentials = { accessKey: 'key', secretKey: 'secret' }
    const settings = { name: 'plant', type: 'store-local', endpoint: '127.0.0.1', port, credentials }
    const made = await test.call('POST', '/api/storage/providers', { as: 'admin', body: settings })
    assert.equal(made.status, 201, made.text)
    await lookAgain('ok')
    assert.deepEqual(await states(), [0, 0, 0, 0], 'one that nobody uses is not asked')
    const bucket = { name: 'elsewhere', providerId: made.body.id }
    assert.equal((await test.call('POST', '/api/buckets', { as: 'editor', body: bucket })).status, 201)
    await lookAgain('ok')
    await eventually(async () => (await states())[0] === 1)

    store.close()
    store.closeAllConnections()
    const { whole, message } = await lookAgain('degraded')
    assert.equal(whole, 'degraded')
    assert.match(
      message ?? '',
      /^1 storage provider that can't be reached \(sp_\w+\): POST \/api\/storage\/providers\/\{id\}\/test/
    )
    assert.deepEqual(await states(), [0, 1, 0, 0])
    assert.ok(
      test.logged.some((line) => line.includes(made.body.id) && line.includes('127.0.0.1')),
      'the log says which'
    )

    storeRefuses = true
    await listen(port)
    await eventually(async () => {
      assert.match(
        (await lookAgain('degraded')).message ?? '',
        /^1 storage provider with credentials that are refused \(sp_\w+\): POST/
      )
      return true
    })
    assert.deepEqual(await states(), [0, 0, 1, 0])

    storeRefuses = false
    await lookAgain('ok')
    assert.deepEqual(await states(), [1, 0, 0, 0])
  })
})

describe('jobs', () => {
  it('that do not get on are counted, and told of until they do', async () => {
    assert.equal((await settles('jobs', 'ok')).status, 'ok')
    const { metadata, jobs } = test.platform
    const error = JSON.stringify({ code: 'no_luck', message: 'no luck at 127.0.0.1' })
    const recurring = (set: object) =>
      metadata.transaction((tx) => tx.updateTable('jobs').set(set).where('id', '=', 'every:catalog.retain').execute())
    await recurring({ error })
    const id = await metadata.transaction((tx) => jobs.enqueue(tx, { kind: 'unknown.kind', payload: null }))
    assert.equal(await metric('millrace_jobs{state="queued"}'), 1)
    await metadata.transaction((tx) =>
      tx.updateTable('jobs').set({ state: 'failed', finished_at: clock.iso(), error }).where('id', '=', id).execute()
    )
    const { message } = await settles('jobs', 'degraded')
    assert.match(message ?? '', /fail and are tried again: 1 of catalog\.retain; jobs given up within the last hour: 1/)
    assert.doesNotMatch(message ?? '', /no luck/)
    assert.equal(await metric('millrace_jobs{state="failed"}'), 1)
    assert.equal(await metric('millrace_jobs{state="queued"}'), 0)
    await recurring({ error: null })
    await metadata.transaction((tx) =>
      tx.updateTable('jobs').set({ finished_at: '2026-03-01T10:00:00.000Z' }).where('id', '=', id).execute()
    )
    await settles('jobs', 'ok')
  })
})
