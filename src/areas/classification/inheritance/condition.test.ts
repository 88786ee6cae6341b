import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { toIso } from '../../../engines/clock.ts'
import { jobMigrations } from '../../../engines/jobs/index.ts'
import { InheritanceWorld } from '../testing/inheritance-world.ts'
import { renderInheritanceMetrics, requireFollowing } from './condition.ts'
import { noticeMarks } from './marks.ts'

const T = Date.UTC(2026, 0, 1)
const MINUTE = 60_000

describe('the condition of inherited levels', () => {
  let world: InheritanceWorld
  before(async () => {
    world = await InheritanceWorld.open()
    await world.graph.metadata.migrate(jobMigrations)
    await world.empty()
  })
  after(() => world.close())

  it('is bad where a change has waited for minutes, and says since when and what to do', async () => {
    await world.label('object://b/a.csv', 'internal')
    await requireFollowing(world.db, T)
    await world.change((tx) => noticeMarks(tx, T, 100))
    await requireFollowing(world.db, T + MINUTE)
    assert.match(await renderInheritanceMetrics(world.db, T + MINUTE), /^millrace_classification_lag_seconds 60$/m)
    await assert.rejects(requireFollowing(world.db, T + 2 * MINUTE), (error: Error) => {
      assert.match(error.message, new RegExp(`since ${toIso(T)}: 1 changes wait for the job classification.follow`))
      return true
    })
    await world.follow()
    await requireFollowing(world.db, T + 2 * MINUTE)
    assert.match(await renderInheritanceMetrics(world.db, T + MINUTE), /^millrace_classification_marks 0$/m)
  })
})
