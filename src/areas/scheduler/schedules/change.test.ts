import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Scheduled } from '../../../../test/support/scheduler/scheduled.ts'
import { toIso } from '../../../engines/clock.ts'

const CHANGES = 60
const YEAR_MS = 365 * 86_400_000

let world: Scheduled
before(async () => {
  world = await Scheduled.start()
})
after(() => world.close())

test('a due time that comes while its schedule is changed is not lost', async (t) => {
  const schedule = await world.create({ name: 'changed', everySeconds: 1, overlap: 'allow' })
  const firstMs = Date.parse(schedule.nextRuns[0])
  const { clock } = world
  // Time passes with every look at the clock, so that a due time comes between any two of them.
  const now = clock.now.bind(clock)
  const later = () => {
    clock.correct(1)
    return now()
  }
  const looks = [t.mock.method(clock, 'now', later), t.mock.method(clock, 'iso', () => toIso(later()))]
  for (let change = 0; change < CHANGES; change++) {
    clock.correct(1000 - (now() % 1000) - change)
    await world.call('PUT', `/schedules/${schedule.id}`, { endAt: toIso(now() + YEAR_MS) })
  }
  for (const { mock } of looks) mock.restore()
  await world.pass(1)
  const wanted: string[] = []
  for (let ms = firstMs; ms <= clock.now(); ms += 1000) wanted.push(toIso(ms))
  assert.deepEqual(
    (await world.rows(schedule.id)).map(({ due_at }) => due_at),
    wanted
  )
})
