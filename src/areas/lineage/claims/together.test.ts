// Both: how many ways to the database and back there are.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { StatementCount } from '../../../../test/support/count-statements.ts'
import type { Sighting } from '../sighting.ts'
import { GraphDatabase } from '../testing/graph-database.ts'

const RUNS = 100
/** For any number of runs: what is written goes in statements for powers of two. */
const MOST_STATEMENTS = 60

/** A job that each time reads and writes other data, such as those of a day. */
const daily = (job: string, day: number): Sighting => ({
  job: { reference: `job://cron/${job}` },
  run: { id: `${job} ${day}`, timeMs: 1000 + day, state: 'completed', isWhole: true },
  inputs: [{ reference: `dataset://db/in-${day}` }],
  outputs: [{ reference: `dataset://db/out-${day}` }],
  columns: [
    {
      from: { reference: `dataset://db/in-${day}`, column: 'a' },
      to: { reference: `dataset://db/out-${day}`, column: 'b' },
      kind: 'identity'
    }
  ],
  provenance: { how: 'openlineage', who: 'a test' }
})

describe('many runs of a job that are told together', () => {
  let graph: GraphDatabase
  before(async () => {
    graph = await GraphDatabase.open()
  })
  after(() => graph.close())

  async function statementsFor(sightings: readonly Sighting[]): Promise<number> {
    const count = new StatementCount()
    await graph.metadata.transaction((tx) => graph.lineage.saw(count.of(tx), sightings))
    return count.asked
  }

  for (const [job, order] of [
    ['in order', (days: number[]) => days],
    ['the last ones first', (days: number[]) => days.toReversed()]
  ] as const) {
    it(`need few statements, ${job}`, async () => {
      const days = order(Array.from({ length: RUNS }, (_, day) => day))
      const [first, ...others] = days as [number, ...number[]]
      await statementsFor([daily(job, first)])
      const asked = await statementsFor(others.map((day) => daily(job, day)))
      assert.ok(asked <= MOST_STATEMENTS, `${asked} statements`)
      const { mappings } = await graph.periods()
      assert.deepEqual(
        mappings
          .map(({ started_ms, ended_ms }) => [started_ms, ended_ms])
          .toSorted(([a], [b]) => Number(a) - Number(b)),
        Array.from({ length: RUNS }, (_, day) => [1000 + day, day === RUNS - 1 ? null : 1001 + day])
      )
      await graph.empty()
    })
  }
})
