import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Scheduled } from '../../../test/support/scheduler/scheduled.ts'
import { toIso } from '../../engines/clock.ts'
import { MAX_HISTORY } from './limits.ts'
import { pruneHistory } from './prune.ts'
import { newRun } from './runs/new-run.ts'
import { insertRuns } from './runs/store.ts'

let world: Scheduled

before(async () => {
  world = await Scheduled.start()
})
after(() => world.close())

test('of the history the old rows go, and those that are too many, but none that is open', async () => {
  const { metadata, makeId } = world.app.platform
  const { clock } = world
  const { id } = await world.create({ name: 'pruned', cron: '0 0 1 1 *' })
  const other = await world.create({ name: 'kept', cron: '0 0 1 1 *' })
  const row = (scheduleId: string, agoMs: number, isOpen = false) => {
    const dueAt = toIso(clock.now() - agoMs)
    const run = newRun(makeId, clock, { scheduleId, dueAt, kind: 'due' })
    return isOpen ? run : { ...run, state: 'succeeded' as const, finished_at: dueAt }
  }
  const crowd = Array.from({ length: MAX_HISTORY + 5 }, (_, at) => row(id, (at + 1) * 60_000, at === MAX_HISTORY + 4))
  const old = [row(other.id, 31 * 86_400_000), row(other.id, 29 * 86_400_000)]
  await metadata.transaction((tx) => insertRuns(tx, [...crowd, ...old]))
  const job = {
    id: 'job_1',
    payload: null,
    attempt: 1,
    lease: { id: 'job', fence: 1, owner: 'test' },
    signal: new AbortController().signal,
    progress: () => {},
    commit: metadata.transaction
  }
  await pruneHistory(clock, 30)(job)
  assert.equal((await world.rows(other.id)).length, 1)
  const left = await world.rows(id)
  assert.equal(left.length, MAX_HISTORY + 1)
  assert.equal(left[0]?.state, 'queued')
})
