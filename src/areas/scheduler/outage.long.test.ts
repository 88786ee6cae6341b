// Both: due times are claimed by locks, and rows are unique by an index.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Scheduled } from '../../../test/support/scheduler/scheduled.ts'
import { toIso } from '../../engines/clock.ts'
import { MAX_GAP_ROWS, ON_TIME_MS } from './limits.ts'
import { CATCH_UPS, type CatchUp, type RunRow } from './migrations.ts'

const MINUTE = 60_000
const WINDOW_MS = 30 * MINUTE
let world: Scheduled

before(async () => {
  world = await Scheduled.start()
})
after(() => world.close())

/** What is to become of the due times of a schedule that is due every minute, said in the simplest way. */
function expected(firstMs: number, endMs: number, outageFromMs: number, nowMs: number, catchUp: CatchUp) {
  const story: [string, string][] = []
  const late = (ms: number) => ms > outageFromMs && ms < nowMs - ON_TIME_MS
  const onTime = (ms: number) => ms > outageFromMs && ms <= nowMs && !late(ms)
  let isAnyOnTime = false
  let lastLateMs = 0
  for (let ms = firstMs; ms <= endMs; ms += MINUTE) {
    if (late(ms)) lastLateMs = ms
    if (onTime(ms)) isAnyOnTime = true
  }
  for (let ms = firstMs; ms <= endMs; ms += MINUTE) {
    const isRecent = nowMs - ms <= WINDOW_MS
    const isChosen = catchUp === 'all' || (catchUp === 'last' && ms === lastLateMs && !isAnyOnTime)
    story.push([toIso(ms), late(ms) && !(isRecent && isChosen) ? 'missed' : 'succeeded'])
  }
  return story
}

describe('after an outage there is one row for every due time', () => {
  for (const [name, seconds] of [
    ['a minute', 60],
    ['an hour', 3600],
    ['a week', 7 * 86_400]
  ] as const) {
    for (const catchUp of CATCH_UPS) {
      test(`of ${name}, with catchUp ${catchUp}`, async () => {
        const schedule = await world.create({
          name: `${name} ${catchUp}`,
          cron: '* * * * *',
          catchUp,
          catchUpWindow: '30m',
          // The clock may be looked at between two moves: what was due before may still be under way.
          overlap: 'queue'
        })
        const firstMs = Date.parse(schedule.nextRuns[0])
        await world.pass(65)
        const outageFromMs = world.clock.now()
        await world.outage(seconds)
        const nowMs = world.clock.now()
        const rows = await world.rows(schedule.id)
        const story = expected(firstMs, nowMs, outageFromMs, nowMs, catchUp)
        assert.equal(total(rows), story.length)
        assert.ok(rows.filter(({ count }) => count > 1).length <= 1)
        const states = new Map(rows.map(({ due_at, state }) => [due_at, state]))
        const sum = rows.find(({ count }) => count > 1)
        const stateOf = (dueAt: string) => (sum !== undefined && isAbout(sum, dueAt) ? sum.state : states.get(dueAt))
        assert.deepEqual(
          story.map(([dueAt]) => [dueAt, stateOf(dueAt)]),
          story
        )
        const ran = world.probe.runs.filter(({ scheduleName }) => scheduleName === schedule.name)
        const wanted = story.filter(([, state]) => state === 'succeeded').map(([dueAt]) => dueAt)
        assert.deepEqual(ran.map(({ dueAt }) => dueAt).sort(), wanted)
        await world.call('DELETE', `/schedules/${schedule.id}`, undefined, 204)
      })
    }
  }
})

const isAbout = ({ due_at, due_until }: RunRow, dueAt: string) => due_at <= dueAt && dueAt <= (due_until ?? due_at)
const total = (rows: readonly RunRow[]) => rows.reduce((sum, { count }) => sum + count, 0)

test('a gap with more due times than are kept leaves the last ones and a sum', async () => {
  const schedule = await world.create({ name: 'each second', everySeconds: 5, catchUp: 'none' })
  await world.outage(86_400)
  const rows = await world.rows(schedule.id)
  const [sum] = rows as [RunRow]
  const fives = (ms: number) => Math.floor(ms / 5000)
  assert.equal(total(rows), fives(world.clock.now()) - fives(Date.parse(schedule.createdAt)))
  assert.ok(sum.count > 1 && sum.state === 'missed' && sum.code === 'outage')
  assert.ok(rows.length <= MAX_GAP_ROWS + 1 + (2 * ON_TIME_MS) / 5000)
  assert.equal(Date.parse(rows[1]?.due_at as string) - Date.parse(sum.due_until as string), 5000)
  await world.call('DELETE', `/schedules/${schedule.id}`, undefined, 204)
})

test('the last one is caught up on although everything after it was excluded', async () => {
  const schedule = await world.create({
    name: 'not at night',
    cron: '* * * * *',
    catchUp: 'last',
    catchUpWindow: '1w',
    exclusions: [{ name: 'night', from: '10:00', to: '09:59' }]
  })
  await world.outage(3 * 86_400)
  const ran = world.probe.runs.filter(({ scheduleName }) => scheduleName === 'not at night')
  assert.deepEqual(
    ran.map(({ dueAt }) => dueAt.slice(11, 16)),
    ['09:59']
  )
  const rows = await world.rows(schedule.id)
  assert.equal(rows.filter(({ state }) => state === 'succeeded').length, 1)
  assert.equal(rows.filter(({ state, code }) => state === 'skipped' && code === 'excluded').length, total(rows) - 3)
  await world.call('DELETE', `/schedules/${schedule.id}`, undefined, 204)
})

test('a clock that is put back and forth leaves one row for every due time, and runs none twice', async () => {
  const schedule = await world.create({ name: 'jumps', cron: '* * * * *', catchUp: 'all', overlap: 'queue' })
  const firstMs = Date.parse(schedule.nextRuns[0])
  let latestMs = 0
  for (const seconds of [130, -600, 700, 3600, -3600, 60, 7200, -7000, 90]) {
    world.clock.correct(1000 * seconds)
    await world.pass(2)
    latestMs = Math.max(latestMs, world.clock.now())
  }
  const rows = await world.rows(schedule.id)
  const wanted: string[] = []
  for (let ms = firstMs; ms <= latestMs; ms += MINUTE) wanted.push(toIso(ms))
  assert.deepEqual(
    rows.map(({ due_at }) => due_at),
    wanted
  )
  const ran = world.probe.runs.filter(({ scheduleName }) => scheduleName === 'jumps').map(({ dueAt }) => dueAt)
  assert.equal(new Set(ran).size, ran.length)
  assert.deepEqual(ran.sort(), wanted)
})

test('after an outage recovery is paced, and what is due now does not wait for it', async () => {
  const { schedules } = await world.call('GET', '/schedules')
  for (const { id } of schedules) await world.call('DELETE', `/schedules/${id}`, undefined, 204)
  const made = []
  for (let at = 0; at < 12; at++) {
    made.push(await world.create({ name: `paced ${at}`, everySeconds: 60, catchUp: 'all', overlap: 'allow' }))
  }
  world.probe.runs.length = 0
  world.probe.holds = true
  await world.outage(600)
  const newest = Math.max(...world.probe.held.map(({ dueAt }) => Date.parse(dueAt)))
  const isNow = ({ dueAt }: { dueAt: string }) => Date.parse(dueAt) === newest
  assert.equal(world.probe.held.filter(isNow).length, made.length)
  let most = 0
  while (world.probe.held.length > 0) {
    most = Math.max(most, world.probe.held.filter((run) => !isNow(run)).length)
    world.probe.held[0]?.end({ outcome: 'succeeded' })
    await world.settle()
  }
  assert.equal(most, 4)
  for (const { id } of made) {
    const rows = await world.rows(id)
    assert.ok(rows.length >= 10)
    assert.deepEqual([...new Set(rows.map(({ state }) => state))], ['succeeded'])
  }
  world.probe.holds = false
})
