import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { QualityWorld } from '../../../../test/support/quality-world.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { anomalousRules } from '../happenings.ts'
import { UNITS, type Unit } from '../words.ts'
import type { Point } from './detect.ts'
import { type Anomaly, type Followed, follow } from './follow.ts'

const DAY_MS = 86_400_000
const START_MS = Date.UTC(2026, 0, 1, 6)

/** Evaluates once a day, and remembers as the server does. */
class Diary {
  #history: Point[] = []
  #anomaly: Anomaly | null = null
  #days = 0

  day(value: number, atMs = START_MS + this.#days++ * DAY_MS): Followed {
    const followed = follow(this.#history, this.#anomaly, { atMs, value }, 'rows')
    const { learnsFromMs } = followed
    this.#anomaly = followed.anomaly
    this.#history.push({ atMs, value, oddity: followed.oddity })
    if (learnsFromMs !== null) {
      this.#history = this.#history
        .filter((point) => point.atMs >= learnsFromMs)
        .map((point) => ({ ...point, oddity: 0 }))
    }
    return followed
  }

  skip(days: number): void {
    this.#days += days
  }
}

describe('what a history leads to expect', () => {
  it('is nothing before there are 14 evaluations', () => {
    const diary = new Diary()
    for (let day = 0; day < 14; day++) assert.equal(diary.day(100 + (day % 3)).expected, null)
    assert.deepEqual([diary.day(101).expected?.value, diary.day(101).expected?.points], [101, 15])
  })

  it('is a level, a trend or a day of the week, whatever evaluations are missing', () => {
    const [level, trend, week] = [new Diary(), new Diary(), new Diary()]
    for (let day = 0; day < 60; day++) {
      if (day % 11 === 4) for (const diary of [level, trend, week]) diary.skip(1)
      else {
        level.day(1000 + (day % 5))
        trend.day(1000 + 20 * day + (day % 5))
        week.day((day % 7 >= 5 ? 200 : 1000) + (day % 5))
      }
    }
    const [a, b, c] = [level.day(1002), trend.day(2202), week.day(1002)].map(({ expected }) => expected)
    assert.ok(Math.abs((a?.value ?? 0) - 1002) < 5 && a?.season === null && a.trendPerDay === 0)
    assert.ok(Math.abs((b?.value ?? 0) - 2202) < 10 && Math.abs((b?.trendPerDay ?? 0) - 20) < 0.5)
    assert.ok(Math.abs((c?.value ?? 0) - 1002) < 5 && c?.season === 'weekday')
    // The day after is the first of a weekend.
    const weekend = week.day(1000)
    assert.ok(Math.abs((weekend.expected?.value ?? 0) - 202) < 5)
    assert.equal(weekend.anomaly?.kind, 'value')
  })

  it('is an hour of the day where evaluations are hourly', () => {
    const diary = new Diary()
    const hour = (at: number, value: number) => diary.day(value, START_MS + at * 3_600_000)
    for (let at = 0; at < 190; at++) hour(at, (at % 24 < 8 ? 50 : 900) + (at % 5))
    const { expected, anomaly } = hour(190, 902)
    assert.ok(Math.abs((expected?.value ?? 0) - 902) < 5 && expected?.season === 'hour' && anomaly === null)
    const night = hour(192, 902)
    assert.ok(Math.abs((night.expected?.value ?? 0) - 52) < 5)
    assert.equal(night.anomaly?.kind, 'value')
  })

  it('has what is odd by itself, which is over with the next that is not, and does not spoil what is expected', () => {
    const diary = new Diary()
    for (let day = 0; day < 20; day++) diary.day(100 + (day % 3))
    const { anomaly } = diary.day(20)
    assert.deepEqual([anomaly?.kind, anomaly?.measured, anomaly?.since], ['value', 20, '2026-01-21T06:00:00.000Z'])
    assert.match(
      anomaly?.message ?? '',
      /^20 rows where about 101 \([\d.]+ to [\d.]+\) were expected after 20 evaluations\.$/
    )
    assert.deepEqual(diary.day(102).anomaly, null)
    assert.equal(diary.day(101).expected?.value, 101)
  })

  it('follows a level that stays, once it was told', () => {
    const diary = new Diary()
    for (let day = 0; day < 20; day++) diary.day(100 + (day % 3))
    const since = diary.day(300).anomaly?.since
    for (let day = 0; day < 6; day++) assert.equal(diary.day(300 + (day % 2)).anomaly?.since, since)
    assert.equal(diary.day(300).anomaly, null)
    for (let day = 0; day < 6; day++) assert.equal(diary.day(300 + (day % 2)).expected, null)
    assert.equal(diary.day(301).expected?.value, 300)
  })

  it('takes evaluations of the same data by hand for one', () => {
    const diary = new Diary()
    for (let day = 0; day < 20; day++) {
      for (let again = 0; again < 3; again++) diary.day(100 + (day % 3), START_MS + day * DAY_MS + again * 60_000)
    }
    const { expected } = diary.day(100, START_MS + 20 * DAY_MS)
    assert.equal(expected?.points, 20)
  })
})

describe('a history of any kind', () => {
  const count = fc.oneof(
    fc.nat(5),
    fc.nat(1000),
    fc.nat({ max: Number.MAX_SAFE_INTEGER }),
    fc.double({ min: 0, max: 100, noNaN: true })
  )
  const gap = fc.oneof(fc.constantFrom(0, 1, 60_000, 3_600_000, DAY_MS), fc.nat(30 * DAY_MS))
  const points = fc.array(fc.tuple(gap, count), { minLength: 15, maxLength: 60 })

  const historyOf = (steps: readonly (readonly [number, number])[], startMs: number): Point[] => {
    let atMs = startMs
    return steps.map(([gapMs, value]) => {
      atMs += gapMs
      return { atMs, value, oddity: 0 }
    })
  }
  const expectedOf = (history: readonly Point[], unit: Unit = 'rows') =>
    follow(history.slice(0, -1), null, history.at(-1) as Point, unit)

  it('leads to expect numbers, within a band around them', () => {
    const property = fc.property(points, fc.constantFrom(...UNITS), (steps, unit) => {
      const { expected } = expectedOf(historyOf(steps, START_MS), unit)
      if (expected === null) return
      const { value, low, high } = expected
      assert.ok(low >= 0 && low <= value && value <= high && Number.isFinite(high), JSON.stringify(expected))
    })
    fc.assert(property, { numRuns: 300 })
  })

  it('leads to expect what was always the same', () => {
    const property = fc.property(points, count, fc.constantFrom(...UNITS), (steps, constant, unit) => {
      const same = steps.map(([gapMs]) => [gapMs, constant] as const)
      const { expected, anomaly } = expectedOf(historyOf(same, START_MS), unit)
      assert.equal(anomaly, null)
      if (expected !== null) assert.equal(expected.value, constant)
    })
    fc.assert(property, { numRuns: 200 })
  })

  it('leads to the same at any time', () => {
    const property = fc.property(points, fc.nat(1000 * DAY_MS), (steps, shiftMs) => {
      const [a, b] = [START_MS, START_MS + shiftMs].map((startMs) => expectedOf(historyOf(steps, startMs)).expected)
      assert.deepEqual(a, b)
    })
    fc.assert(property, { numRuns: 100 })
  })
})

describe('a rule whose measurements are odd', () => {
  const dataset = 'object://lake/orders.csv'
  let world: QualityWorld
  let id: string
  before(async () => {
    world = await QualityWorld.start()
    id = await world.make({ name: 'orders', dataset, type: 'rowCount', config: { min: 1 } })
    await world.put('orders.csv', `id\n${Array.from({ length: 20 }, (_, at) => at).join('\n')}\n`)
  })
  after(() => world.close())

  const db = () => world.test.platform.metadata.db
  const change = (work: (tx: Db) => Promise<unknown>) => world.test.platform.metadata.transaction(work)
  const ask = async () => (await world.post(`rules/${id}/evaluate`)).body
  const told = async () => (await anomalousRules(db())).happenings

  /** What the rule has measured on the days before today. */
  async function remember(values: readonly number[], oddity: (at: number) => number = () => 0): Promise<void> {
    const nowMs = Date.now()
    const rows = values.map((value, at) => ({
      id: `qres_${at}`,
      rule_id: id,
      value: String(value),
      at_ms: nowMs - (values.length - at) * DAY_MS,
      oddity: oddity(at)
    }))
    await change(async (tx) => {
      await tx.deleteFrom('quality_measurements').execute()
      await tx.insertInto('quality_measurements').values(rows).execute()
    })
  }

  it('says so with what was expected, and is an event for alerts', async () => {
    await remember(Array.from({ length: 14 }, (_, at) => 100 + (at % 3)))
    const odd = await ask()
    assert.deepEqual([odd.status, odd.measured, odd.expected.value, odd.anomaly.kind], ['passed', 20, 101, 'value'])
    const [happening] = await told()
    assert.deepEqual([happening?.qualityRuleName, happening?.anomaly], ['orders', odd.anomaly.message])
    const { rules } = await world.get('rules?anomalous=true')
    assert.deepEqual([rules.length, rules[0].anomaly.since], [1, odd.evaluatedAt])
  })

  it('is as expected once that has lasted', async () => {
    await remember([...Array(14).fill(100), ...Array(7).fill(20)], (at) => (at < 14 ? 0 : 1))
    const since = new Date(Date.now() - 7 * DAY_MS - 3_600_000).toISOString()
    const row = await db().selectFrom('quality_rules').select('anomaly').executeTakeFirstOrThrow()
    const anomaly = JSON.stringify({ ...JSON.parse(row.anomaly ?? ''), since })
    await change((tx) => tx.updateTable('quality_rules').set({ anomaly, anomalous_since: since }).execute())
    assert.equal((await ask()).anomaly, null)
    assert.deepEqual(await told(), [])
    const left = await db().selectFrom('quality_measurements').select(['value', 'oddity']).execute()
    assert.deepEqual(
      left.map(({ value, oddity }) => [value, oddity]),
      Array(8).fill(['20', 0])
    )
  })

  it('keeps the last 200 measurements', async () => {
    await remember(Array.from({ length: 205 }, (_, at) => 20 + (at % 2)))
    assert.equal((await ask()).anomaly, null)
    assert.equal((await db().selectFrom('quality_measurements').select('id').execute()).length, 201)
  })

  it('forgets all of it where nobody wants to know', async () => {
    const body = { anomalies: false }
    const changed = await world.test.call('PUT', `/api/quality/rules/${id}`, { as: 'editor', body })
    assert.deepEqual([changed.body.anomalies, changed.body.anomaly, changed.body.status], [false, null, 'passed'])
    assert.equal((await ask()).expected, null)
    assert.deepEqual(await db().selectFrom('quality_measurements').selectAll().execute(), [])
  })
})
