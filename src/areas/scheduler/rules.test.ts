import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { Scheduled } from '../../../test/support/scheduler/scheduled.ts'

let world: Scheduled
let made = 0

before(async () => {
  world = await Scheduled.start()
})
after(() => world.close())
afterEach(async () => {
  world.probe.holds = false
  world.probe.end = { outcome: 'succeeded' }
  for (const run of [...world.probe.held]) run.end({ outcome: 'succeeded' })
  const { schedules } = await world.call('GET', '/schedules')
  for (const { id } of schedules) await world.call('DELETE', `/schedules/${id}`, undefined, 204)
  await world.settle()
  world.probe.runs.length = 0
})

const create = (body: object = {}) => {
  made += 1
  return world.create({ name: `schedule ${made}`, everySeconds: 60, ...body })
}
const states = async (id: string) =>
  (await world.rows(id)).map(({ state, code }) => (code ? `${state} ${code}` : state))
const probed = () => world.probe.runs.length
const ending = (outcome: 'failed', code = 'broken', isFinal = false) =>
  ({ outcome, code, message: 'It broke; mend it', isFinal }) as const

describe('while a run is under way', () => {
  test('overlap skip leaves the next one out, and says which run was in the way', async () => {
    world.probe.holds = true
    const { id } = await create()
    await world.pass(60)
    const [first] = await world.rows(id)
    await world.pass(60)
    assert.deepEqual(await states(id), ['queued', 'skipped overlap'])
    assert.match((await world.rows(id))[1]?.reason as string, new RegExp(first?.id as string))
    const { runs } = await world.call('GET', `/schedules/${id}/history`)
    assert.deepEqual(
      runs.map(({ state }: { state: string }) => state),
      ['skipped', 'running']
    )
  })

  test('overlap queue has them wait for each other, in the order of their due times', async () => {
    world.probe.holds = true
    const { id } = await create({ overlap: 'queue' })
    for (let minute = 0; minute < 3; minute++) await world.pass(60)
    assert.equal(probed(), 1)
    for (const count of [1, 2, 3]) {
      assert.equal(probed(), count)
      world.probe.held[0]?.end({ outcome: 'succeeded' })
      await world.settle()
    }
    const ran = world.probe.runs.map(({ dueAt }) => dueAt)
    assert.deepEqual(ran, ran.toSorted())
    assert.deepEqual(await states(id), Array(3).fill('succeeded waits').with(0, 'succeeded').map(plain))
  })

  test('overlap allow runs them beside each other', async () => {
    world.probe.holds = true
    await create({ overlap: 'allow' })
    for (let minute = 0; minute < 3; minute++) await world.pass(60)
    assert.equal(world.probe.held.length, 3)
  })

  test('overlap cancel has the later one take the place of the earlier one', async () => {
    world.probe.holds = true
    const { id } = await create({ overlap: 'cancel' })
    await world.pass(60)
    await world.pass(60)
    await eventually(async () => {
      await world.pass(1)
      return probed() === 2
    })
    assert.deepEqual((await states(id)).slice(0, 1), ['cancelled overlap'])
    assert.equal(world.probe.held.length, 1)
  })
})

/** A run that waited and then succeeded says nothing of having waited. */
const plain = (text: string) => text.replace(' waits', '')

describe('a run that fails', () => {
  test('is tried again, each time later, and then failed', async () => {
    world.probe.end = ending('failed')
    const { id } = await create({ everySeconds: 86_400, retries: 2, retryDelaySeconds: 10 })
    await world.call('POST', `/schedules/${id}/run`, undefined, 202)
    await world.settle()
    assert.equal(probed(), 1)
    const { runs } = await world.call('GET', `/schedules/${id}/history`)
    assert.equal(runs[0].state, 'queued')
    assert.equal(Date.parse(runs[0].nextAttemptAt) - world.clock.now(), 10_000)
    assert.equal(runs[0].reason, 'It broke; mend it')
    await world.pass(10)
    assert.equal(probed(), 2)
    await world.pass(10)
    assert.equal(probed(), 2)
    await world.pass(10)
    assert.equal(probed(), 3)
    assert.deepEqual(await states(id), ['failed broken'])
    assert.deepEqual(
      world.probe.runs.map(({ attempt }) => attempt),
      [1, 2, 3]
    )
    assert.equal(new Set(world.probe.runs.map(({ runId }) => runId)).size, 1)
  })

  test('is tried again no sooner than the other side asks for, and within an hour', async () => {
    const { id } = await create({ everySeconds: 86_400, retries: 3, retryDelaySeconds: 10 })
    const asks = (retryAfterMs: number) => {
      world.probe.end = { ...ending('failed'), retryAfterMs }
    }
    const waitMs = async () => {
      await world.settle()
      const { runs } = await world.call('GET', `/schedules/${id}/history`)
      return Date.parse(runs[0].nextAttemptAt) - world.clock.now()
    }
    asks(90_000)
    await world.call('POST', `/schedules/${id}/run`, undefined, 202)
    assert.equal(await waitMs(), 90_000)
    asks(1000)
    await world.pass(90)
    assert.equal(await waitMs(), 20_000)
    asks(7_200_000)
    await world.pass(20)
    assert.equal(await waitMs(), 3_600_000)
  })

  test('is not tried again where that can’t do better', async () => {
    world.probe.end = ending('failed', 'wrong', true)
    const { id } = await create({ retries: 5 })
    await world.pass(60)
    assert.deepEqual(await states(id), ['failed wrong'])
  })

  test('pauses the schedule after so many in a row, which is told', async () => {
    world.probe.end = ending('failed')
    const { id } = await create({ pauseAfterFailures: 2 })
    await world.pass(60)
    await world.pass(60)
    await world.pass(60)
    assert.deepEqual(await states(id), ['failed broken', 'failed broken', 'skipped paused'])
    const schedule = await world.call('GET', `/schedules/${id}`)
    assert.equal(schedule.enabled, false)
    assert.equal(schedule.pause.cause, 'failures')
    assert.match(schedule.pause.note, /2 runs failed.*It broke/)
    const health = await world.app.call('GET', '/api/health')
    assert.equal(health.body.checks.scheduler.status, 'degraded')
    assert.match(health.body.checks.scheduler.message, /paused by failures: 1 schedule/)
    world.probe.end = { outcome: 'succeeded' }
    const resumed = await world.call('POST', `/schedules/${id}/resume`)
    assert.deepEqual([resumed.enabled, resumed.pause, resumed.failures], [true, null, 0])
    await world.pass(60)
    assert.equal((await states(id)).at(-1), 'succeeded')
    assert.equal((await world.app.call('GET', '/api/health')).body.checks.scheduler.status, 'ok')
  })
})

test('a run that takes too long is ended, and said to be', async () => {
  world.probe.holds = true
  const { id } = await create({ timeoutSeconds: 5 })
  await world.pass(60)
  assert.equal(world.probe.held.length, 1)
  await world.pass(6)
  await eventually(async () => (await states(id))[0] === 'timedOut timeout')
  assert.equal(world.probe.held.length, 0)
})

test('a run can be cancelled while it waits and while it is under way, and not afterwards', async () => {
  world.probe.holds = true
  const { id } = await create({ overlap: 'queue' })
  await world.pass(60)
  await world.pass(60)
  const [going, waiting] = await world.rows(id)
  const cancel = (runId?: string, status = 202) =>
    world.call('POST', `/schedules/${id}/history/${runId}/cancel`, undefined, status)
  assert.equal((await cancel(waiting?.id)).state, 'cancelled')
  await cancel(going?.id)
  await eventually(async () => {
    await world.pass(1)
    return (await states(id))[0] === 'cancelled cancelled'
  })
  const refused = await cancel(going?.id, 409)
  assert.deepEqual([refused.code, refused.currentState], ['run_ended', 'cancelled'])
})

test('a schedule is run by hand while it is paused, but not beside a run under way', async () => {
  world.probe.holds = true
  const { id } = await create({ enabled: false })
  await world.pass(60)
  const run = await world.call('POST', `/schedules/${id}/run`, undefined, 202)
  await world.settle()
  assert.deepEqual(await states(id), ['skipped paused', 'queued'])
  const refused = await world.call('POST', `/schedules/${id}/run`, undefined, 409)
  assert.deepEqual([refused.code, refused.runId], ['schedule_busy', run.id])
})

describe('a backfill', () => {
  test('runs the due times that have not succeeded, one after the other', async () => {
    const { id } = await create({ catchUp: 'none' })
    const from = world.clock.iso()
    await world.pass(60)
    await world.outage(300)
    const to = world.clock.iso()
    const preview = await world.call('POST', `/schedules/${id}/backfill/preview`, { from, to })
    const missed = (await world.rows(id)).filter(({ state }) => state === 'missed').map(({ due_at }) => due_at)
    assert.ok(missed.length >= 3)
    assert.deepEqual(preview.dueTimes, missed)
    assert.equal(preview.id, null)
    const before = probed()
    const backfill = await world.call('POST', `/schedules/${id}/backfill`, { from, to }, 202)
    await world.settle()
    assert.equal(probed() - before, missed.length)
    const rows = (await world.rows(id)).filter(({ backfill_id }) => backfill_id === backfill.id)
    assert.deepEqual(
      rows.map(({ due_at, state }) => [due_at, state]),
      missed.map((dueAt) => [dueAt, 'succeeded'])
    )
    const again = await world.call('POST', `/schedules/${id}/backfill/preview`, { from, to })
    assert.equal(again.count, 0)
  })

  test('is refused for what is to come, and for too much', async () => {
    const { id } = await create({ everySeconds: 1 })
    const at = (ms: number) => new Date(world.clock.now() + ms).toISOString()
    const future = await world.call('POST', `/schedules/${id}/backfill`, { from: at(-1000), to: at(1000) }, 400)
    assert.equal(future.errors[0].pointer, '/to')
    const body = { from: at(-86_400_000), to: at(0) }
    const many = await world.call('POST', `/schedules/${id}/backfill`, body, 422)
    assert.deepEqual([many.code, many.count, many.limit], ['too_many_due_times', 86_400, 10_000])
    assert.match(many.detail, /^There are 86,400 due times .* at most 10,000\./)
    const years = { from: at(-900_000_000), to: at(0) }
    const more = await world.call('POST', `/schedules/${id}/backfill/preview`, years, 422)
    assert.deepEqual([more.code, more.count], ['too_many_due_times', undefined])
    assert.match(more.detail, /^There are more than 100,000 due times /)
  })
})

test('what has come before a change is decided by the rules as they were', async () => {
  const { id } = await create({ catchUp: 'none' })
  world.clock.correct(150_000)
  const changed = await world.call('PUT', `/schedules/${id}`, { everySeconds: 3600, catchUp: 'all' })
  assert.equal(changed.everySeconds, 3600)
  await world.settle()
  const seen = await states(id)
  assert.ok(seen.length >= 2 && seen[0] === 'missed outage', String(seen))
  assert.equal(seen.filter((state) => state === 'succeeded').length, 1)
})
