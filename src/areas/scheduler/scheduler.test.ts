import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Scheduled } from '../../../test/support/scheduler/scheduled.ts'

let world: Scheduled

before(async () => {
  world = await Scheduled.start()
})
after(() => world.close())

test('a schedule runs at its due time, and its history says so', async () => {
  const { id, nextRuns } = await world.create({ name: 'each minute', cron: '* * * * *' })
  assert.deepEqual(nextRuns.slice(0, 2), ['2026-03-27T00:01:00.000Z', '2026-03-27T00:02:00.000Z'])
  await world.pass(60)
  const [run] = (await world.call('GET', `/schedules/${id}/history`)).runs
  assert.equal(run.state, 'succeeded')
  assert.equal(run.dueAt, '2026-03-27T00:01:00.000Z')
  assert.equal(run.attempts, 1)
  assert.equal(world.probe.runs.length, 1)
  const shown = await world.call('GET', `/schedules/${id}`)
  assert.equal(shown.lastRun.id, run.id)
  assert.equal(shown.nextRuns[0], '2026-03-27T00:02:00.000Z')
})
