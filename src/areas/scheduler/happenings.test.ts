import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Scheduled } from '../../../test/support/scheduler/scheduled.ts'
import type { AlertEvent } from '../../area.ts'
import { scheduler } from './area.ts'

let world: Scheduled

before(async () => {
  world = await Scheduled.start()
})
after(() => world.close())

const events = scheduler.alertEvents as Readonly<Record<string, AlertEvent>>

/** The names of the schedules that an event tells of, one look after the other. */
function looksAt(event: string) {
  let cursor: string | null = null
  return async () => {
    const told = await (events[event] as AlertEvent).since(world.app.platform.metadata.db, cursor, world.clock.now())
    cursor = told.cursor
    for (const happening of told.happenings) {
      assert.deepEqual(Object.keys(happening).sort(), ['schedule', 'scheduleName'])
      assert.match(happening.schedule as string, /^sch_/)
    }
    return told.happenings.map(({ scheduleName }) => scheduleName).sort()
  }
}

const fail = () => {
  world.probe.end = { outcome: 'failed', code: 'broken', message: 'it broke', isFinal: true }
}
const succeed = () => {
  world.probe.end = { outcome: 'succeeded' }
}
const remove = (id: string) => world.call('DELETE', `/schedules/${id}`, undefined, 204)

test('a run that failed is told until a later one succeeds, and one between two looks is not lost', async () => {
  const { id } = await world.create({ name: 'fragile', everySeconds: 60 })
  const well = await world.create({ name: 'well', everySeconds: 86_400 })
  const look = looksAt('schedule-run.failed')
  assert.deepEqual(await look(), [])
  fail()
  await world.pass(60)
  assert.deepEqual(await look(), ['fragile'])
  await world.pass(60)
  assert.deepEqual(await look(), ['fragile'])
  succeed()
  await world.pass(60)
  await look()
  await world.pass(120)
  await look()
  assert.deepEqual(await look(), [])
  fail()
  await world.pass(60)
  succeed()
  await world.pass(60)
  assert.deepEqual(await look(), ['fragile'], 'it failed, and is well again before anybody looked')
  assert.deepEqual(await looksAt('schedule-run.failed')(), [], 'what was over before the first look')
  await world.pass(120)
  await look()
  assert.deepEqual(await look(), [])
  await remove(id)
  await remove(well.id)
})

test('due times that were missed are told for an hour', async () => {
  const { id } = await world.create({ name: 'late', everySeconds: 60, catchUp: 'none' })
  const look = looksAt('schedule.missed')
  await world.pass(60)
  assert.deepEqual(await look(), [])
  await world.outage(86_400)
  assert.deepEqual(await look(), ['late'])
  for (let minutes = 0; minutes < 59; minutes++) await world.pass(60)
  assert.deepEqual(await look(), ['late'])
  await world.pass(60)
  await world.pass(60)
  assert.deepEqual(await look(), [])
  await remove(id)
})

test('a schedule that its failures have paused is told until it is enabled, one that somebody paused is not', async () => {
  const paused = await world.create({ name: 'given up', everySeconds: 60, pauseAfterFailures: 2 })
  const byHand = await world.create({ name: 'by hand', everySeconds: 86_400 })
  const look = looksAt('schedule.paused')
  const note = '"cause":"failures"'
  await world.call('POST', `/schedules/${byHand.id}/pause`, { note })
  fail()
  await world.pass(60)
  assert.deepEqual(await look(), [])
  await world.pass(60)
  assert.deepEqual(await look(), ['given up'])
  succeed()
  await world.call('POST', `/schedules/${paused.id}/run`, undefined, 202)
  await world.settle()
  assert.deepEqual(await look(), ['given up'])
  await world.call('POST', `/schedules/${paused.id}/resume`)
  assert.deepEqual(await look(), [])
  await remove(paused.id)
  await remove(byHand.id)
})
