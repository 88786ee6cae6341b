import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { TestApp } from '../../../../test/support/app.ts'
import { makeSource, query, writeLines } from '../../../../test/support/catalog.ts'
import { startTargetApp } from '../../../../test/support/targets.ts'
import type { AreaNeeds } from '../../../area.ts'
import { Problem } from '../../../errors.ts'
import type { ScheduleTarget, TargetEnd, TargetLineage } from '../../../schedule-target.ts'
import { targetRun } from '../../scheduler/testing/target-run.ts'
import { piecesOf, spanOf } from './span.ts'
import { downsampleTarget } from './target.ts'

const HOUR_MS = 3_600_000
const DUE_MS = Date.parse('2026-03-02T04:00:00Z')

describe('downsampling by schedules', () => {
  let test: TestApp
  let needs: AreaNeeds
  let target: ScheduleTarget
  let id: string
  let sources = 0

  before(async () => {
    ;({ test, needs } = await startTargetApp())
    target = (await needs.scheduleTargets.downsample?.(needs)) as ScheduleTarget
    id = await makeSource(test, 'press')
    // Every ten minutes from 01:00 to 04:00, the value is the number of the point.
    const lines = Array.from({ length: 18 }, (_, n) => {
      const ms = DUE_MS - 3 * HOUR_MS + n * 600_000
      return `line,no=2 temperature=${n},pressure=${n * 2},note="n${n}",open=${n % 2 === 0} ${ms}`
    })
    assert.equal((await writeLines(test, 'press', lines.join('\n'))).status, 204)
  })
  after(() => test.close())

  const newSource = () => makeSource(test, `into-${++sources}`)
  const run = (config: object, more: object = {}) =>
    target.run(targetRun({ id, config: config as never, ...more }, needs)) as Promise<TargetEnd>
  const pointsIn = async (sourceId: string) => {
    const asked = { sourceId, startTime: '2026-03-01T00:00:00Z', endTime: '2026-03-03T00:00:00Z' }
    const { body } = await query(test, asked)
    const series = body.series as { tag: string; points: { time: string; value: unknown }[] }[]
    return Object.fromEntries(
      series.map(({ tag, points }) => [
        tag,
        Object.fromEntries(points.map(({ time, value }) => [time.slice(11, 16), value]))
      ])
    )
  }
  const codeOf = (end: TargetEnd) => ('code' in end ? end.code : end.outcome)

  it('makes whole buckets between two due times, less the lag, and the same when done again', async () => {
    const sourceId = await newSource()
    const config = { every: '30m', into: { sourceId }, tags: '*.temperature{*}', lag: '40m' }
    for (const attempt of [1, 2]) {
      const end = await run(config, { attempt })
      const message = '2 points of 1 tags, from 2026-03-02T02:00:00.000Z to 2026-03-02T03:00:00.000Z'
      assert.deepEqual([end.outcome, end.message], ['succeeded', message])
      assert.deepEqual(Object.values(await pointsIn(sourceId)), [{ '02:00': 7, '02:30': 10 }])
    }
    const [tag = ''] = Object.keys(await pointsIn(sourceId))
    assert.equal(tag, 'line.temperature{no=2}')
  })

  it('looks back at the first run, and has a tag for each of several functions', async () => {
    const sourceId = await newSource()
    const functions = ['min', 'max', 'count', 'sum', 'last', 'avg']
    const config = { every: '1h', into: { sourceId }, functions, lag: '1s', tags: '*.temperature{*}' }
    assert.equal((await run(config, { previousDueAt: null })).outcome, 'succeeded')
    const found = await pointsIn(sourceId)
    const byFunction = Object.fromEntries(
      Object.entries(found).map(([tag, points]) => [tag.replace('line.temperature.', '').replace('{no=2}', ''), points])
    )
    assert.deepEqual(byFunction, {
      min: { '01:00': 0, '02:00': 6 },
      max: { '01:00': 5, '02:00': 11 },
      count: { '01:00': 6, '02:00': 6 },
      sum: { '01:00': 15, '02:00': 51 },
      last: { '01:00': 5, '02:00': 11 },
      avg: { '01:00': 2.5, '02:00': 8.5 }
    })
  })

  it('leaves texts out where there is no sum of them', async () => {
    const sourceId = await newSource()
    await run({ every: '1h', into: { sourceId }, lag: '1s', functions: ['sum'] }, { previousDueAt: null })
    assert.equal(
      Object.keys(await pointsIn(sourceId)).some((tag) => /note/.test(tag)),
      false
    )
    const texts = await newSource()
    await run(
      { every: '1h', into: { sourceId: texts }, lag: '1s', functions: ['last'], tags: '*.note{*}' },
      { previousDueAt: null }
    )
    assert.deepEqual(Object.values(await pointsIn(texts)), [{ '01:00': 'n5', '02:00': 'n11' }])
  })

  it('runs one after another leave out nothing, and make what one alone would', async () => {
    const [several, once] = [await newSource(), await newSource()]
    const base = { every: '20m', lag: '7m', tags: '*.pressure*' }
    const dues = [0, 25, 50, 77, 100, 180].map((minutes) =>
      new Date(DUE_MS - 3 * HOUR_MS + minutes * 60_000).toISOString()
    )
    for (const [i, dueAt] of dues.entries()) {
      if (i > 0) await run({ ...base, into: { sourceId: several } }, { dueAt, previousDueAt: dues[i - 1] })
    }
    await run({ ...base, into: { sourceId: once } }, { dueAt: dues.at(-1), previousDueAt: dues[0] })
    assert.deepEqual(await pointsIn(several), await pointsIn(once))
    assert.equal(Object.keys(Object.values(await pointsIn(once))[0] ?? {}).length, 8)
  })

  it('says how many points were refused, and why', async () => {
    const sourceId = await newSource()
    const name = `into-${sources}`
    const config = { every: '1h', into: { sourceId }, lag: '1s', tags: '*.temperature{*}' }
    assert.equal((await writeLines(test, name, `line,no=2 temperature="a text" ${DUE_MS}`)).status, 204)
    const end = await run(config)
    assert.equal(codeOf(end), 'points_rejected')
    assert.match(String(end.message), /; 1 were refused, the first because /)
  })

  it('has nothing to do, or too much', async () => {
    const into = { sourceId: await newSource() }
    const none = await run({ every: '1d', into })
    const message = 'No bucket of 1d has ended since the due time before'
    assert.deepEqual([none.outcome, none.message], ['succeeded', message])
    const much = await run({ every: '1s', into }, { previousDueAt: '2026-02-01T00:00:00.000Z' })
    assert.equal(codeOf(much), 'too_many_buckets')
    assert.equal(codeOf(await run({ every: '1h', into: { sourceId: 'src_none' } })), 'source_not_found')
  })

  it('tells what becomes of the columns of points', async () => {
    const sourceId = await newSource()
    const told = async (config: object) => {
      const end = await run({ every: '1h', into: { sourceId }, lag: '1s', ...config })
      const { inputs, outputs, columns, isWhole } = ('lineage' in end && end.lineage) || assert.fail()
      assert.deepEqual([outputs, isWhole], [[{ reference: `series://${sourceId}` }], true])
      return {
        inputs: inputs.map(({ reference }) => reference.replace(id, 'ID')),
        columns: columns.map(({ from, to, kind }) => `${from.column} → ${to.column ?? '*'} ${kind}`)
      }
    }
    const grouped = ['time → * grouped', 'tag → * grouped']
    assert.deepEqual(await told({ tags: 'line.open' }), {
      inputs: ['series://ID/line.open'],
      columns: ['time → time computed', 'tag → tag identity', 'value → value computed', ...grouped, 'tag → * filtered']
    })
    assert.deepEqual(await told({ functions: ['min', 'last', 'max'] }), {
      inputs: ['series://ID'],
      columns: [
        ...['time → time computed', 'tag → tag computed', 'value → value computed', 'value → value identity'],
        ...grouped
      ]
    })
    const texts = await told({ functions: ['last'], tags: '*.note{*}' })
    assert.deepEqual(texts.inputs, ['series://ID'])
    assert.ok(texts.columns.includes('text → text identity'))
  })

  it('tells what it is about to write before the first point is there', async () => {
    const sourceId = await newSource()
    const happened: string[] = []
    const series = await needs.series()
    const watched = new Proxy(series, {
      get: (of, name) => {
        if (name === 'write') happened.push('write')
        const member = Reflect.get(of, name)
        return typeof member === 'function' ? member.bind(of) : member
      }
    })
    const config = { every: '1h', into: { sourceId }, lag: '1s' }
    const begin = async ({ outputs }: TargetLineage) => void happened.push(...outputs.map(({ reference }) => reference))
    const end = await downsampleTarget({ ...needs, series: async () => watched }).run(
      targetRun({ id, config: config as never, begin }, needs)
    )
    assert.equal(end.outcome, 'succeeded')
    assert.deepEqual([...new Set(happened)], [`series://${sourceId}`, 'write'])
  })

  it('refuses at once what could never run, each by its field', async () => {
    const into = { sourceId: await newSource() }
    const pointers = async (order: object) => {
      try {
        await target.check?.(order as never)
        return []
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return error.errors?.map(({ pointer }) => pointer)
      }
    }
    assert.deepEqual(await pointers({ id, config: { every: '1h', into } }), [])
    assert.deepEqual(await pointers({ id, config: { every: '1mo', lag: 'soon', into } }), [
      '/target/config/every',
      '/target/config/lag'
    ])
    assert.deepEqual(await pointers({ id, config: { every: '1h', into: { sourceId: id } } }), [
      '/target/config/into/sourceId'
    ])
    assert.deepEqual(await pointers({ id: 'src_none', config: { every: '1h', into: { sourceId: 'src_none2' } } }), [
      '/target/id',
      '/target/config/into/sourceId'
    ])
    assert.deepEqual(await pointers({ config: { every: '1h', into } }), ['/target/id'])
  })
})

it('spans of due times one after another touch, end before the lag, and are whole', () => {
  const ms = fc.integer({ min: 0, max: 4e12 })
  fc.assert(
    fc.property(
      fc.uniqueArray(ms, { minLength: 2, maxLength: 10 }),
      fc.integer({ min: 1, max: 1e9 }),
      ms,
      (dues, every, lagMs) => {
        const everyMs = every * 1000
        const sorted = dues.toSorted((a, b) => a - b)
        const spans = sorted
          .slice(1)
          .map((dueMs, i) => spanOf({ dueMs, previousMs: sorted[i] as number, everyMs, lagMs }))
        for (const [i, { fromMs, toMs }] of spans.entries()) {
          assert.ok(toMs <= (sorted[i + 1] as number) - lagMs && toMs > (sorted[i + 1] as number) - lagMs - everyMs)
          assert.ok(fromMs % everyMs === 0 && toMs % everyMs === 0)
          if (i > 0) assert.equal(fromMs, spans[i - 1]?.toMs)
        }
      }
    )
  )
})

it('the pieces of a span are the span', () => {
  const small = fc.integer({ min: 1, max: 50 })
  fc.assert(
    fc.property(small, small, small, (buckets, everyMs, most) => {
      const pieces = [...piecesOf({ fromMs: 7 * everyMs, toMs: (7 + buckets) * everyMs }, everyMs, most)]
      assert.equal(pieces[0]?.fromMs, 7 * everyMs)
      assert.equal(pieces.at(-1)?.toMs, (7 + buckets) * everyMs)
      for (const [i, { fromMs, toMs }] of pieces.entries()) {
        assert.ok(toMs > fromMs && toMs - fromMs <= most * everyMs)
        if (i > 0) assert.equal(fromMs, pieces[i - 1]?.toMs)
      }
    })
  )
})
