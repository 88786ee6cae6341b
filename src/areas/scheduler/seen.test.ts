import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Scheduled } from '../../../test/support/scheduler/scheduled.ts'
import { idOfMoment } from '../../engines/ids.ts'
import { checkSchedules } from './examine.ts'

let world: Scheduled

before(async () => {
  world = await Scheduled.start()
})
after(() => world.close())

const remove = (id: string) => world.call('DELETE', `/schedules/${id}`, undefined, 204)

test('the first due time of a schedule has none before it, the next one has, and a backfill always', async () => {
  const { id } = await world.create({ name: 'first', everySeconds: 60 })
  await world.pass(60)
  await world.pass(60)
  const to = world.clock.iso()
  await world.call(
    'POST',
    `/schedules/${id}/backfill`,
    { from: '2026-03-26T23:00:00Z', to: '2026-03-26T23:01:00Z' },
    202
  )
  await world.settle()
  const [first, second, backfilled] = world.probe.runs
  assert.equal(first?.previousDueAt, null)
  assert.equal(second?.previousDueAt, first?.dueAt)
  assert.equal(backfilled?.previousDueAt, '2026-03-26T22:59:00.000Z', to)
  await remove(id)
})

test('a history asked for by state answers runs in that state only', async () => {
  world.probe.holds = true
  const { id } = await world.create({ name: 'asked by state', everySeconds: 86_400, overlap: 'queue' })
  for (let run = 0; run < 3; run++) await world.call('POST', `/schedules/${id}/run`, undefined, 202)
  await world.settle()
  const states = async (state: string) => {
    const { runs, total } = await world.call('GET', `/schedules/${id}/history?state=${state}`)
    assert.equal(total, runs.length)
    return runs.map((run: { state: string; code: string | null }) => `${run.state} ${run.code}`)
  }
  assert.deepEqual(await states('running'), ['running null'])
  assert.deepEqual(await states('queued'), ['queued waits', 'queued waits'])
  world.probe.held[0]?.end({ outcome: 'succeeded' })
  await world.settle()
  assert.deepEqual(await states('running'), ['running null'])
  world.probe.holds = false
  while (world.probe.held.length > 0) {
    world.probe.held[0]?.end({ outcome: 'succeeded' })
    await world.settle()
  }
  await remove(id)
})

test('a due time has the same identifier wherever it is decided', async () => {
  const { id } = await world.create({ name: 'same everywhere', everySeconds: 60 })
  await world.pass(60)
  const [run] = await world.rows(id)
  assert.equal(run?.id, idOfMoment('sr', Date.parse(run?.due_at as string), id))
  await remove(id)
})

test('a failure is in the log with the name of its schedule, and the doctor names it', async () => {
  world.probe.end = { outcome: 'failed', code: 'broken', message: 'The belt is torn' }
  const { id } = await world.create({ name: 'belt', everySeconds: 60 })
  await world.pass(60)
  const line = world.app.logged.find((text) => text.includes('a run of a schedule failed')) as string
  const { scheduleName, code, reason } = JSON.parse(line)
  assert.deepEqual([scheduleName, code, reason], ['belt', 'broken', 'The belt is torn'])
  const { config, clock, vault, metadata } = world.app.platform
  const findings = await checkSchedules({ config, clock, vault, metadata })
  const text = findings.map(({ message }) => message).join('\n')
  assert.match(text, /belt \(sch_\w+, 1 in a row, last .*: The belt is torn\)/)
  // What a statement failed at may quote data, to which somebody may have given a level since.
  const target_config = JSON.stringify({ relations: { p: 'object://plant/belts.csv' } })
  await metadata.transaction((tx) =>
    tx.updateTable('schedules').set({ target_type: 'sql', target_config }).where('id', '=', id).execute()
  )
  const label = { resource: 'object://plant/belts.csv', level: 'confidential' }
  const as = { token: await world.app.token('ada', 'admin') }
  assert.equal((await world.app.call('POST', '/api/classification/resources', { as, body: label })).status, 201)
  const [, hidden] = await checkSchedules({ config, clock, vault, metadata })
  assert.match(hidden?.message ?? '', /belt \(sch_\w+, 1 in a row, last .*: \*{8}\)/)
  world.probe.end = { outcome: 'succeeded' }
  await remove(id)
})

test('due times that were missed are in the log', async () => {
  const { id } = await world.create({ name: 'missed', everySeconds: 60, catchUp: 'none' })
  await world.outage(600)
  const line = world.app.logged.find((text) => text.includes('due times of schedules were missed')) as string
  assert.ok(JSON.parse(line).missed >= 8)
  await remove(id)
})

test('a due time that waits out its jitter when the times are changed is in the history', async () => {
  const { id, nextRuns } = await world.create({ name: 'jitter', cron: '*/5 * * * *', jitterSeconds: 240 })
  const dueMs = Date.parse(nextRuns[0])
  await world.pass((dueMs - world.clock.now()) / 1000)
  const isBegun = (await world.rows(id)).length === 1
  await world.call('PUT', `/schedules/${id}`, { cron: '0 3 * * *' })
  const [row] = await world.rows(id)
  assert.equal(row?.due_at, nextRuns[0])
  if (!isBegun) assert.deepEqual([row?.state, row?.code], ['skipped', 'changed'])
  await remove(id)
})
