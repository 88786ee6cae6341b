import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { Probe } from '../../../test/support/scheduler/probe.ts'
import { AREAS } from '../../areas.ts'

const clock = new ManualClock('2026-03-27T00:00:00.000Z')
const probe = new Probe()
let app: TestApp

before(async () => {
  app = await startTestApp({ clock, areas: [...AREAS, probe.area] })
})
after(() => app.close())

const target = { type: 'probe' }

async function create(body: object) {
  const { status, body: schedule } = await app.call('POST', '/api/scheduler/schedules', { as: 'editor', body })
  assert.equal(status, 201, JSON.stringify(schedule))
  return schedule
}

const history = async (id: string, query = '') =>
  (await app.call('GET', `/api/scheduler/schedules/${id}/history${query}`, { as: 'viewer' })).body.runs

test('a schedule runs at its due time, and its history says so', async () => {
  const schedule = await create({ name: 'each minute', cron: '* * * * *', target })
  assert.deepEqual(schedule.nextRuns.slice(0, 2), ['2026-03-27T00:01:00.000Z', '2026-03-27T00:02:00.000Z'])
  clock.advance(60_000)
  const [run] = await eventually(async () => {
    const runs = await history(schedule.id)
    assert.equal(runs[0]?.state, 'succeeded')
    return runs
  })
  assert.equal(run.dueAt, '2026-03-27T00:01:00.000Z')
  assert.equal(run.attempts, 1)
  assert.equal(probe.runs.length, 1)
  const shown = await app.call('GET', `/api/scheduler/schedules/${schedule.id}`, { as: 'viewer' })
  assert.equal(shown.body.lastRun.id, run.id)
  assert.equal(shown.body.nextRuns[0], '2026-03-27T00:02:00.000Z')
})
