// Both: how many ways to the database and back there are.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { StatementCount } from '../../../../test/support/count-statements.ts'
import { systemClock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { dailyRuns } from '../../lineage/testing/daily-runs.ts'
import { InheritanceWorld } from '../testing/inheritance-world.ts'
import { followSome, MARKS_AT_ONCE } from './follower.ts'
import { noticeMarks } from './marks.ts'
import { settle } from './settling.ts'

const [SECRET, COPY] = ['object://b/secret.csv', 'object://b/copy.csv']
const [JOBS, DAYS] = [20, 50]

/** Of data none of which has a level. */
const unrelated = dailyRuns(JOBS, DAYS)

describe('many changes of the lineage that are about no level', () => {
  let world: InheritanceWorld
  before(async () => {
    world = await InheritanceWorld.open()
  })
  beforeEach(async () => {
    await world.empty()
    await world.label(SECRET, 'internal')
    await world.run('job://test/copy', [SECRET], [COPY])
    await world.follow()
    await world.change((tx) => world.graph.lineage.saw(tx, unrelated))
  })
  after(() => world.close())

  const notice = async () => {
    while ((await world.change((tx) => noticeMarks(tx, systemClock.now(), 1000))) > 0);
  }
  const levelOfCopy = async () => (await world.levels()).get(`${COPY} `)
  const marks = () => world.db.selectFrom('classification_marks').select('kind').execute()

  it('hold up no label', async () => {
    await notice()
    await world.label(SECRET, 'confidential')
    await notice()
    for (let piece = 0; piece < 2; piece++) await world.change((tx) => followSome(tx, MARKS_AT_ONCE))
    assert.equal(await levelOfCopy(), 'confidential')
    assert.ok((await marks()).length >= JOBS * DAYS)
  })

  it('are gone through in few statements', async () => {
    const count = new StatementCount()
    await notice()
    while (await world.change((tx) => followSome(count.of(tx), MARKS_AT_ONCE)));
    assert.deepEqual(await marks(), [])
    assert.ok(count.asked <= 100, `${count.asked} statements`)
    assert.equal(await levelOfCopy(), 'internal')
  })

  it('are not waited for where they come later, whoever is about to write', async () => {
    let later = 0
    const metadata: Metadata = {
      ...world.graph.metadata,
      transaction: async (work) => {
        await world.run(`job://later/${later}`, [`object://later/${later}`], [`object://later/${later++}-out`])
        return world.graph.metadata.transaction(work)
      }
    }
    await world.label(SECRET, 'restricted')
    assert.equal(await settle({ metadata, clock: systemClock, cache: { forget: () => {} } }), true)
    assert.equal(await levelOfCopy(), 'restricted')
    assert.ok(later < 50, `${later} transactions`)
    assert.notDeepEqual(await marks(), [])
  })
})
