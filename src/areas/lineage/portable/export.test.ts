// Both: how many ways to the database and back there are.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { StatementCount } from '../../../../test/support/count-statements.ts'
import { dailyRuns } from '../testing/daily-runs.ts'
import { GraphDatabase } from '../testing/graph-database.ts'
import { everythingTold } from './export.ts'

const [JOBS, DAYS] = [40, 10]

describe('what is exported', () => {
  let graph: GraphDatabase
  before(async () => {
    graph = await GraphDatabase.open()
  })
  after(() => graph.close())

  it('is read in few statements, however much each run of a job says that others do not', async () => {
    await graph.metadata.transaction((tx) => graph.lineage.saw(tx, dailyRuns(JOBS, DAYS)))
    const count = new StatementCount()
    const lines: object[] = []
    for await (const some of everythingTold({ ...graph.metadata, db: count.of(graph.metadata.db) }, '')) {
      lines.push(...some)
    }
    assert.equal(lines.filter((line) => 'runs' in line && Array.isArray(line.runs)).length, JOBS * DAYS)
    assert.ok(count.asked <= 2 * JOBS, `${count.asked} statements`)
  })
})
