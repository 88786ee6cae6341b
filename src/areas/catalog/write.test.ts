// Once: bodies of writes and the answers to them.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { HttpError, InfluxDB, Point, setLogger, type WriteOptions } from '@influxdata/influxdb-client'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeKey, makeSource, query, writeLines } from '../../../test/support/catalog.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { RawSocket } from '../../../test/support/objects/raw-socket.ts'

const MAX_BYTES = 20_000
const JSON_TYPE = { 'content-type': 'application/json' }
const LINES_TYPE = { 'content-type': 'text/plain; charset=utf-8' }

// The client logs refusals to the console; these tests cause them on purpose.
setLogger({ error() {}, warn() {} })

describe('writes', { timeout: 60_000 }, () => {
  let test: TestApp
  let token: string
  before(async () => {
    test = await startTestApp({ env: { MAX_WRITE_BYTES: String(MAX_BYTES) } })
    token = await makeKey(test, ['catalog:write'])
  })
  after(() => test.close())

  const clientFor = (bucket: string, options: Partial<WriteOptions> = {}) =>
    new InfluxDB({ url: test.url, token }).getWriteApi('any org', bucket, 'ms', { flushInterval: 0, ...options })
  const send = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
    fetch(test.url + path, { method: 'POST', body, headers: { authorization: `Token ${token}`, ...headers } })

  async function valuesIn(name: string): Promise<Record<string, unknown[]>> {
    const { body: found } = await test.call('GET', `/api/catalog/sources?q=${name}`, { as: 'viewer' })
    const { body } = await query(test, { sourceId: found.sources[0].id, startTime: '1970-01-01' })
    return Object.fromEntries(
      body.series.map(({ tag, points }: { tag: string; points: { value: unknown }[] }) => [
        tag,
        points.map(({ value }) => value)
      ])
    )
  }

  it('are held against the digest that comes with them', async () => {
    const id = await makeSource(test, 'digests')
    const points = JSON.stringify([{ tag: 't', value: 1 }])
    const md5 = (of: string) => ({
      ...JSON_TYPE,
      authorization: `Bearer ${token}`,
      'content-md5': createHash('md5').update(of).digest('base64')
    })
    const wrong = await send(`/api/catalog/sources/${id}/points`, points, md5('other'))
    assert.deepEqual([wrong.status, ((await wrong.json()) as { code: string }).code], [400, 'checksum_mismatch'])
    assert.equal((await send(`/api/catalog/sources/${id}/points`, points, md5(points))).status, 200)
  })

  describe('of the public client', () => {
    it('come with every type of field, in batches, packed and not', async () => {
      for (const [bucket, gzipThreshold] of [
        ['plain', 1_000_000],
        ['packed', 10]
      ] as const) {
        const writer = clientFor(bucket, { gzipThreshold, batchSize: 7 })
        writer.useDefaultTags({ site: 'north' })
        for (let n = 0; n < 20; n++) {
          const point = new Point('m')
            .floatField('f', n / 4)
            .intField('i', n)
            .booleanField('b', n % 2 === 0)
          writer.writePoint(
            point
              .uintField('u', n)
              .stringField('s', `n ${n}, "quoted"`)
              .timestamp(1000 + n)
          )
        }
        await writer.close()
        const values = await valuesIn(bucket)
        const ns = Array.from({ length: 20 }, (_, n) => n)
        assert.deepEqual(
          values['m.f{site=north}'],
          ns.map((n) => n / 4)
        )
        assert.deepEqual(values['m.i{site=north}'], ns)
        assert.deepEqual(values['m.u{site=north}'], ns)
        assert.deepEqual(
          values['m.b{site=north}'],
          ns.map((n) => n % 2 === 0)
        )
        assert.deepEqual(
          values['m.s{site=north}'],
          ns.map((n) => `n ${n}, "quoted"`)
        )
      }
    })

    it('that are partly refused tell the client which line', async () => {
      const failures: HttpError[] = []
      const writer = clientFor('partly', {
        maxRetries: 0,
        writeFailed: (error) => void failures.push(error as HttpError)
      })
      writer.writeRecords(['a value=1 1000', 'no fields at all', 'b value=2 1000'])
      await writer.close().catch(() => {})
      const [failure] = failures
      assert.ok(failure instanceof HttpError)
      assert.deepEqual([failure.statusCode, failure.code], [400, 'invalid'])
      assert.match(failure.message, /^partial write: 1 of 3 lines refused; line 2: /)
      assert.deepEqual(await valuesIn('partly'), { a: [1], b: [2] })
    })

    it('are sent again by themselves after a moment of too much', async () => {
      await writeLines(test, 'installation', 'first value=1 1000')
      // Bodies that never end take all the room for bodies under way.
      const hold = async () => {
        const socket = await RawSocket.open(test.url)
        const headers = { authorization: `Token ${token}`, 'content-length': MAX_BYTES }
        await socket.head('POST', '/api/v2/write?bucket=slow', headers)
        await socket.write('#'.repeat(MAX_BYTES - 1))
        return socket
      }
      const held = await Promise.all(Array.from({ length: 4 }, hold))
      const refused = await eventually(async () => {
        const answer = await writeLines(test, 'installation', `# ${'x'.repeat(100)}`)
        // The server may have turned one away because it was overloaded just then.
        if (answer.status !== 503) held.push(await hold())
        assert.equal(answer.status, 503)
        return answer
      })
      assert.deepEqual([refused.body.code, refused.headers.get('retry-after')], ['unavailable', '1'])
      const refusals: number[] = []
      const retried = Promise.withResolvers<void>()
      const writer = clientFor('installation', {
        writeFailed: (error) => void refusals.push((error as HttpError).statusCode),
        writeSuccess: () => retried.resolve()
      })
      writer.writeRecord('second value=2 1000')
      await assert.rejects(writer.flush(), HttpError)
      for (const { socket } of held) socket.destroy()
      // Closed earlier, the client would discard what it has yet to send again.
      await retried.promise
      await writer.close()
      assert.deepEqual([...new Set(refusals)], [503])
      assert.deepEqual(Object.keys(await valuesIn('installation')), ['first', 'second'])
    })
  })

  it('answer 400 in the client’s form with every line that was refused', async () => {
    const answer = await writeLines(test, 'form', 'a value=1 1000\nbad\n\na value=x 1000\na value="text" 2000')
    const { accepted, rejected, errors, line, code, message, error, type } = answer.body
    assert.deepEqual([answer.status, accepted, rejected, line, code], [400, 1, 3, 2, 'invalid'])
    assert.deepEqual(
      errors.map((each: { line: number }) => each.line),
      [2, 4, 5]
    )
    assert.equal(errors[2].code, 'type_conflict')
    assert.ok(errors.every((each: { code: string; message: string }) => each.code !== '' && each.message !== ''))
    assert.equal(message, error)
    assert.equal(type, '/api/docs/errors/partial_write')
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  })

  it('take times in the precision that was said', async () => {
    for (const [precision, time] of [
      ['ns', '1700000000000000000'],
      ['us', '1700000000000000'],
      ['u', '1700000000000000'],
      ['ms', '1700000000000'],
      ['s', '1700000000']
    ]) {
      const path = `/api/v2/write?bucket=precision&precision=${precision}`
      assert.equal((await send(path, `${precision} value=1 ${time}`, LINES_TYPE)).status, 204)
    }
    const { body: found } = await test.call('GET', '/api/catalog/sources?q=precision', { as: 'viewer' })
    const { firstSeenAt, lastSeenAt, tagCount } = found.sources[0]
    assert.deepEqual([firstSeenAt, lastSeenAt, tagCount], ['2023-11-14T22:13:20.000Z', '2023-11-14T22:13:20.000Z', 5])
    const wrong = await send('/api/v2/write?bucket=precision&precision=days', 'a value=1', LINES_TYPE)
    const problem = (await wrong.json()) as { code: string; message: string }
    assert.deepEqual([wrong.status, problem.code], [400, 'invalid'])
    assert.match(problem.message, /^precision must be one of ns, us/)
  })

  it('are refused where the body is too large, broken or packed otherwise', async () => {
    const path = '/api/v2/write?bucket=refused'
    const large = await send(path, `# ${'x'.repeat(MAX_BYTES)}`, LINES_TYPE)
    assert.deepEqual([large.status, ((await large.json()) as { code: string }).code], [413, 'request too large'])
    const broken = await send(path, 'not gzip', { ...LINES_TYPE, 'content-encoding': 'gzip' })
    assert.deepEqual([broken.status, ((await broken.json()) as { code: string }).code], [400, 'invalid'])
    const other = await send(path, 'a value=1', { ...LINES_TYPE, 'content-encoding': 'br' })
    assert.equal(other.status, 415)
    const unknown = await send('/api/v2/write?bucket=refused&colour=red', 'a value=1', LINES_TYPE)
    assert.equal(unknown.status, 400)
    assert.equal((await send('/api/v2/write?precision=s', 'a value=1', LINES_TYPE)).status, 400)
    const empty = await send(path, '', LINES_TYPE)
    assert.equal(empty.status, 204)
  })

  it('without a good key are refused in the client’s form too', async () => {
    for (const authorization of ['', 'Token nonsense', 'Bearer nonsense', 'Digest x']) {
      const answer = await send('/api/v2/write?bucket=x', 'a value=1', { ...LINES_TYPE, authorization })
      const { code, message } = (await answer.json()) as { code: string; message: string }
      assert.deepEqual([answer.status, code], [401, 'unauthorized'], authorization)
      assert.ok(message.length > 0)
    }
    // On other paths a key is accepted as a bearer token only.
    const elsewhere = await fetch(`${test.url}/api/catalog/sources`, { headers: { authorization: `Token ${token}` } })
    assert.equal(elsewhere.status, 401)
  })

  describe('of JSON', () => {
    let path: string
    before(async () => {
      path = `/api/catalog/sources/${await makeSource(test, 'json')}/points`
    })

    const post = (body: unknown, headers = JSON_TYPE as Record<string, string>) =>
      test.call('POST', path, { as: 'editor', body, headers })

    it('count what was accepted and what was not', async () => {
      const good = await post([
        { tag: 'a', time: '2026-01-01T00:00:00Z', value: 1 },
        { tag: 'b', time: '2026-01-01T00:00:00Z', value: 'text', quality: 'bad' }
      ])
      assert.deepEqual([good.status, good.body], [200, { accepted: 2, rejected: 0, errors: [] }], good.text)
      const partly = await post({ points: [{ tag: 'a', value: 2 }, { tag: 'a' }] })
      assert.deepEqual([partly.status, partly.body.accepted, partly.body.rejected], [200, 1, 1])
      assert.deepEqual([partly.body.errors[0].line, partly.body.errors[0].code], [2, 'invalid_point'])
      const none = await post({ tag: 'a', value: null })
      assert.deepEqual([none.status, none.body.code, none.body.accepted], [400, 'no_points_accepted', 0])
      assert.equal(none.body.errors[0].line, 1)
    })

    it('come one a line, packed, and with times as numbers', async () => {
      const lines = '{"tag":"n","time":1700000000,"value":1}\n{"tag":"n","time":1700000001,"value":2}\n'
      const answer = await fetch(`${test.url}${path}?precision=s`, {
        method: 'POST',
        body: gzipSync(lines),
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/x-ndjson',
          'content-encoding': 'gzip'
        }
      })
      assert.deepEqual([answer.status, await answer.json()], [200, { accepted: 2, rejected: 0, errors: [] }])
    })

    it('are refused with another media type, another precision or no source', async () => {
      const csv = await post('a,1', { 'content-type': 'text/csv' })
      assert.deepEqual([csv.status, csv.body.code], [415, 'unsupported_media_type'])
      const wrong = await test.call('POST', `${path}?precision=days`, { as: 'editor', body: [] })
      assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/query/precision'])
      const nobody = await test.call('POST', '/api/catalog/sources/src_nobody/points', { as: 'editor', body: [] })
      assert.equal(nobody.status, 404)
      assert.equal((await test.call('POST', path, { as: 'viewer', body: [] })).status, 403)
    })
  })
})

describe('the limit on writes', () => {
  it('is another than that on all else', async () => {
    const test = await startTestApp({ clock: new ManualClock(), env: { WRITE_RATE_LIMIT: '2', RATE_LIMIT: '100' } })
    try {
      const write = () => writeLines(test, 'limited', 'a value=1 1000')
      const first = await write()
      assert.equal(first.status, 204)
      assert.equal(first.headers.get('ratelimit-policy'), '"writes";q=2;w=60')
      assert.equal((await write()).status, 204)
      const refused = await write()
      assert.deepEqual([refused.status, refused.body.code], [429, 'too many requests'])
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
      const { status, headers } = await test.call('GET', '/api/catalog/sources', { as: 'editor' })
      assert.deepEqual([status, headers.get('ratelimit-policy')], [200, '"default";q=100;w=60'])
    } finally {
      await test.close()
    }
  })
})
