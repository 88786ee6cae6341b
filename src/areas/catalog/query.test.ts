// Once: questions over HTTP and what is answered to them.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeSource, query, writeLines } from '../../../test/support/catalog.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'

const NOW = '2026-03-01T12:00:00.000Z'
const NOW_MS = Date.parse(NOW)
const LIMIT = 500

describe('a query', () => {
  let test: TestApp
  let sourceId: string
  before(async () => {
    test = await startTestApp({ clock: new ManualClock(NOW), env: { MAX_QUERY_POINTS: String(LIMIT) } })
    sourceId = await makeSource(test, 'plant')
    const lines = Array.from({ length: 60 }, (_, n) => {
      const timeMs = NOW_MS - 3600_000 + n * 60_000
      return `press temperature=${n},state="s${n}" ${timeMs}`
    })
    assert.equal((await writeLines(test, 'plant', lines.join('\n'))).status, 204)
  })
  after(() => test.close())

  const ask = (body: object, headers: Record<string, string> = {}) => query(test, { sourceId, ...body }, headers)

  it('answers points as they are, of all tags and of those asked for', async () => {
    const all = await ask({ startTime: '-1h' })
    assert.equal(all.status, 200, all.text)
    assert.match(all.headers.get('content-type') ?? '', /^application\/json/)
    assert.deepEqual(
      [all.body.sourceId, all.body.startTime, all.body.endTime, all.body.aggregation],
      [sourceId, '2026-03-01T11:00:00.000Z', NOW, null]
    )
    assert.deepEqual(
      all.body.series.map(({ tag, points }: { tag: string; points: unknown[] }) => [tag, points.length]),
      [
        ['press.state', 60],
        ['press.temperature', 60]
      ]
    )
    const some = await ask({ tags: ['press.temperature', 'nothing'], startTime: '-2m', endTime: 'now' })
    assert.deepEqual(some.body.unknownTags, ['nothing'])
    const [{ points }] = some.body.series
    assert.deepEqual(points, [
      { time: '2026-03-01T11:58:00.000Z', value: 58 },
      { time: '2026-03-01T11:59:00.000Z', value: 59 }
    ])
  })

  it('answers buckets, of one function or several', async () => {
    const tags = ['press.temperature']
    const one = await ask({ tags, startTime: '-1h', aggregation: '30m' })
    assert.deepEqual(one.body.series[0].points, [
      { time: '2026-03-01T11:00:00.000Z', value: 14.5, count: 30 },
      { time: '2026-03-01T11:30:00.000Z', value: 44.5, count: 30 }
    ])
    assert.equal(one.body.aggregation, '30m')
    const several = await ask({
      tags,
      startTime: '2026-03-01T12:00:00+01:00',
      endTime: '2026-03-01T12:00:00.000Z',
      aggregation: '1h',
      function: ['min', 'max'],
      timeZone: 'Europe/Berlin'
    })
    assert.deepEqual(several.body.series[0].points, [{ time: '2026-03-01T11:00:00.000Z', min: 0, max: 59, count: 60 }])
  })

  it('answers tables to those who ask for them', async () => {
    const body = { tags: ['press.temperature'], startTime: '-1m' }
    const csv = await ask(body, { accept: 'text/csv' })
    assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/)
    assert.match(csv.text, /^tag,time,value,quality\r\npress\.temperature,2026-03-01T11:59:00\.000Z,59,good\r\n$/)
    const arrow = await ask(body, { accept: 'application/vnd.apache.arrow.stream' })
    assert.deepEqual([arrow.status, arrow.headers.get('content-type')], [200, 'application/vnd.apache.arrow.stream'])
    const none = await ask(body, { accept: 'image/png' })
    assert.deepEqual([none.status, none.body.code], [406, 'not_acceptable'])
  })

  it('names the field that can’t be read', async () => {
    for (const [body, pointer] of [
      [{ startTime: 'yesterday' }, '/startTime'],
      [{ startTime: '1h' }, '/startTime'],
      [{ startTime: '-1h', endTime: 'later' }, '/endTime'],
      [{ startTime: '-1h', aggregation: '5' }, '/aggregation'],
      [{ startTime: '-1h', aggregation: '0m' }, '/aggregation'],
      [{ startTime: '-1h', aggregation: '5m', timeZone: 'Mars/Olympus' }, '/timeZone'],
      [{ startTime: '-1h', aggregation: '5m', function: 'mode' }, '/function'],
      [{ startTime: '-1h', aggregation: '5m', fill: 'zero' }, '/fill'],
      [{ startTime: '-1h', tags: [] }, '/tags'],
      [{ startTime: '-1h', maxPoints: 0 }, '/maxPoints'],
      [{ startTime: '-1h', colour: 'red' }, '/colour'],
      [{}, '/startTime']
    ] as const) {
      const answer = await ask(body)
      const pointers = answer.body.errors.map((error: { pointer: string }) => error.pointer)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.ok(pointers.includes(pointer), `${JSON.stringify(body)}: ${pointers}`)
    }
  })

  it('is refused where it makes no sense', async () => {
    for (const [body, pointer] of [
      [{ startTime: 'now' }, '/endTime'],
      [{ startTime: '-1h', endTime: '-2h' }, '/endTime'],
      [{ startTime: '-1h', function: 'max' }, '/function'],
      [{ startTime: '-1h', fill: 'linear' }, '/fill']
    ] as const) {
      const { status, body: problem } = await ask(body)
      assert.deepEqual([status, problem.code, problem.errors[0].pointer], [422, 'unprocessable', pointer])
    }
    const all = await ask({ startTime: '-1h', aggregation: '5m' })
    const shown = all.body.series.map(({ tag }: { tag: string }) => tag)
    assert.deepEqual(shown, ['press.temperature'], 'of all tags, those that have an average')
    const text = await ask({ tags: ['press.state'], startTime: '-1h', aggregation: '5m' })
    assert.deepEqual([text.status, text.body.code], [422, 'function_not_applicable'])
    assert.match(text.body.detail, /press\.state/)
    assert.equal((await ask({ sourceId: 'src_nobody', startTime: '-1h' })).status, 404)
    const { status } = await test.call('POST', '/api/catalog/query', { body: { sourceId, startTime: '-1h' } })
    assert.equal(status, 401)
  })

  it('that would answer too much says how much, and what to do', async () => {
    const lines = Array.from({ length: LIMIT + 1 }, (_, n) => `a value=${n} ${NOW_MS - n}`)
    const many = await makeSource(test, 'many')
    await writeLines(test, 'many', lines.join('\n'))
    const { status, body } = await ask({ sourceId: many, startTime: '-1h', endTime: '2026-03-02' })
    assert.deepEqual([status, body.code, body.limit], [422, 'too_many_points', LIMIT])
    assert.ok(body.points > LIMIT)
    const bucketed = await ask({ sourceId: many, startTime: '-1h', endTime: '2026-03-02', aggregation: '1m' })
    assert.equal(bucketed.status, 200, bucketed.text)
  })

  it('leaves no trace in the audit trail', async () => {
    const count = async () => (await test.call('GET', '/api/audit/logs', { as: 'admin' })).body.total
    const before = await count()
    await ask({ startTime: '-1h' })
    await ask({ startTime: 'never' })
    assert.equal(await count(), before)
  })
})
