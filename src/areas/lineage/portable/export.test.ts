// Both: how many ways to the database and back there are.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { StatementCount } from '../../../../test/support/count-statements.ts'
import type { Sighting } from '../sighting.ts'
import { GraphDatabase } from '../testing/graph-database.ts'
import { everythingTold } from './export.ts'

const [JOBS, DAYS] = [40, 10]

const daily: Sighting[] = Array.from({ length: JOBS * DAYS }, (_, number) => {
  const [job, day] = [number % JOBS, Math.floor(number / JOBS)]
  return {
    job: { reference: `job://cron/${job}` },
    run: { id: `${job} ${day}`, timeMs: 1000 + day, state: 'completed', isWhole: true },
    inputs: [{ reference: `dataset://db/in-${job}-${day}` }],
    outputs: [{ reference: `dataset://db/out-${job}-${day}` }],
    columns: [],
    provenance: { how: 'openlineage', who: 'a test' }
  }
})

describe('what is exported', () => {
  let graph: GraphDatabase
  before(async () => {
    graph = await GraphDatabase.open()
  })
  after(() => graph.close())

  it('is read in few statements, however much each run of a job says that others do not', async () => {
    await graph.metadata.transaction((tx) => graph.lineage.saw(tx, daily))
    const count = new StatementCount()
    const lines: object[] = []
    for await (const some of everythingTold({ ...graph.metadata, db: count.of(graph.metadata.db) }, '')) {
      lines.push(...some)
    }
    assert.equal(lines.filter((line) => 'runs' in line && Array.isArray(line.runs)).length, JOBS * DAYS)
    assert.ok(count.asked <= 2 * JOBS, `${count.asked} statements`)
  })
})
