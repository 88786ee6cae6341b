import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { Scheduled } from '../../../../test/support/scheduler/scheduled.ts'
import { toIso } from '../../../engines/clock.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'

let world: Scheduled
let conclude: Jobs['conclude']

before(async () => {
  world = await Scheduled.start()
  conclude = world.app.platform.jobs.conclude
})
after(() => world.close())
afterEach(async () => {
  world.app.platform.jobs.conclude = conclude
  world.probe.holds = false
  world.probe.turn = Promise.resolve()
  for (const run of [...world.probe.held]) run.end({ outcome: 'succeeded' })
  const { schedules } = await world.call('GET', '/schedules')
  for (const { id } of schedules) await world.call('DELETE', `/schedules/${id}`, undefined, 204)
  await world.settle()
})

async function createMany(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at++) ids.push((await world.create({ name: `many ${at}`, everySeconds: 60 })).id)
  return ids
}

test('what ends together is written together', async () => {
  const sizes: number[] = []
  world.app.platform.jobs.conclude = (tx, leases) => {
    sizes.push(leases.length)
    return conclude(tx, leases)
  }
  const ids = await createMany(40)
  world.probe.holds = true
  await world.pass(60)
  assert.equal(world.probe.held.length, 40)
  for (const run of [...world.probe.held]) run.end({ outcome: 'succeeded' })
  await world.settle()
  assert.deepEqual(sizes, [40])
  for (const id of ids) assert.deepEqual(await world.story(id), ['00:01 succeeded'])
})

test('one whose end can not be written keeps no other from it, and is made again', async () => {
  const ids = await createMany(10)
  world.probe.holds = true
  await world.pass(60)
  const bad = (await world.rows(ids[3] as string))[0]?.job_id
  world.app.platform.jobs.conclude = (tx, leases) => {
    if (leases.some(({ id }) => id === bad)) throw new Error('can not be written')
    return conclude(tx, leases)
  }
  for (const run of [...world.probe.held]) run.end({ outcome: 'succeeded' })
  const states = async () => (await Promise.all(ids.map((id) => world.rows(id)))).map(([row]) => row?.state)
  const expected = ids.map((_, at) => (at === 3 ? 'queued' : 'succeeded'))
  await eventually(async () => JSON.stringify(await states()) === JSON.stringify(expected))
  world.app.platform.jobs.conclude = conclude
  world.probe.holds = false
  await world.pass(10)
  const [row] = await world.rows(ids[3] as string)
  assert.equal(row?.state, 'succeeded')
  assert.match(row?.logs as string, /cut off/)
})

test('of several runs of one schedule that end together each counts', async () => {
  const { id } = await world.create({ name: 'several', everySeconds: 60, overlap: 'allow', pauseAfterFailures: 3 })
  world.probe.holds = true
  for (let minute = 0; minute < 4; minute++) await world.pass(60)
  assert.equal(world.probe.held.length, 4)
  const end = { outcome: 'failed', code: 'broken', message: 'It broke; mend it' } as const
  for (const run of [...world.probe.held]) run.end(end)
  await world.settle()
  const schedule = await world.call('GET', `/schedules/${id}`)
  assert.equal(schedule.enabled, false)
  assert.match(schedule.pause.note, /^3 runs failed one after the other/)
  const row = await world.app.platform.metadata.db
    .selectFrom('schedules')
    .select('failures')
    .where('id', '=', id)
    .executeTakeFirst()
  assert.equal(row?.failures, 4)
})

test('a run begins when its turn has come, and its time limit with it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  world.probe.turn = promise
  world.probe.holds = true
  const { id } = await world.create({ name: 'in turn', at: '2026-03-28T00:00:00Z', timeoutSeconds: 5 })
  const job = () => world.app.platform.metadata.db.selectFrom('jobs').selectAll().where('state', '=', 'running')
  world.clock.advance(Date.parse('2026-03-28T00:00:00Z') - world.clock.now())
  await eventually(async () => {
    if ((await job().execute()).some(({ kind }) => kind === 'scheduler.run')) return true
    world.clock.advance(100) // for timers that were set since
    return false
  })
  for (let passed = 0; passed < 10; passed++) {
    world.clock.advance(1000)
    await new Promise((next) => setImmediate(next))
  }
  const turnAt = toIso(world.clock.now())
  resolve()
  await eventually(() => world.probe.held.length === 1)
  world.probe.held[0]?.end({ outcome: 'succeeded' })
  await world.settle()
  const [row] = await world.rows(id)
  assert.equal(row?.state, 'succeeded')
  assert.equal(row?.started_at, turnAt)
})
