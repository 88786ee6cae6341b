import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { nodeKey } from '../references.ts'
import type { Sighting } from '../sighting.ts'
import { GraphDatabase } from '../testing/graph-database.ts'
import { heldAt } from '../testing/naive-periods.ts'
import { anySighting, DATA, JOBS } from '../testing/sightings.ts'

const numRuns = process.env.TEST_POSTGRES_URL === undefined ? 60 : 15

/** In pieces of random sizes. */
const batches = (sightings: readonly Sighting[], size: number) =>
  Array.from({ length: Math.ceil(sightings.length / size) }, (_, n) => sightings.slice(n * size, (n + 1) * size))

describe('what runs claim', () => {
  let graph: GraphDatabase
  before(async () => {
    graph = await GraphDatabase.open()
  })
  after(() => graph.close())

  async function tell(sightings: readonly Sighting[], size = 1): Promise<void> {
    for (const some of batches(sightings, size)) {
      await graph.metadata.transaction((tx) => graph.lineage.saw(tx, some))
    }
  }

  const shuffled = fc
    .array(anySighting, { minLength: 1, maxLength: 14 })
    .chain((told) =>
      fc.tuple(fc.constant(told), fc.shuffledSubarray(told, { minLength: told.length }), fc.integer({ min: 1, max: 5 }))
    )

  it('holds when the rule says so, at any time', async () => {
    const property = fc.asyncProperty(shuffled, async ([, told, size]) => {
      await graph.empty()
      await tell(told, size)
      const { edges } = await graph.periods()
      for (const [job, reference] of JOBS.flatMap((one) => DATA.map((two) => [one, two] as const))) {
        for (const [from, to, side] of [
          [reference, job, 'inputs'],
          [job, reference, 'outputs']
        ] as const) {
          const own = edges.filter((edge) => edge.from_node === nodeKey(from) && edge.to_node === nodeKey(to))
          for (let at = 0; at <= 21; at++) {
            const holds = own.some((row) => row.started_ms <= at && (row.ended_ms ?? 99) > at)
            const names = (one: Sighting) => one[side].some((data) => data.reference === reference)
            assert.equal(holds, heldAt(told, job, names, at), `${from} to ${to} at ${at}`)
          }
        }
      }
    })
    await fc.assert(property, { numRuns })
  })

  it('has the state of the end of a run, whatever else is told of the run, and whenever', async () => {
    const property = fc.asyncProperty(shuffled, async ([, told, size]) => {
      await graph.empty()
      await tell(told, size)
      const rows = await graph.metadata.db.selectFrom('lineage_runs').selectAll().execute()
      for (const row of rows) {
        const own = told.filter(({ job, run }) => nodeKey(job.reference) === row.job && run.id === row.id)
        const ends = own.filter(({ run }) => run.state !== 'running')
        const times = (sightings: readonly Sighting[]) => sightings.map(({ run }) => run.timeMs)
        const stateMs = Math.max(...times(ends.length > 0 ? ends : own))
        const last = ends.filter(({ run }) => run.timeMs === stateMs).map(({ run }) => run.state)
        const state = ends.length === 0 ? 'running' : last.includes('completed') ? 'completed' : 'failed'
        assert.deepEqual([row.state, row.state_ms], [state, stateMs])
        const said = own.filter(({ run }) => run.state === state && run.timeMs === stateMs)
        const errors = said.map(({ run }) => run.error ?? '').sort()
        assert.equal(row.error ?? '', errors.at(-1))
        assert.equal(row.start_ms, Math.min(...times(own)))
        const whole = times(own.filter(({ run }) => run.isWhole))
        assert.equal(row.whole_ms, whole.length === 0 ? null : Math.min(...whole))
      }
    })
    await fc.assert(property, { numRuns })
  })

  it('is the same in any order, told one by one or together, and told again', async () => {
    const property = fc.asyncProperty(shuffled, async ([told, other, size]) => {
      await graph.empty()
      await tell(told)
      const first = await graph.periods()
      await graph.empty()
      await tell(other, size)
      assert.deepEqual(await graph.periods(), first)
      await tell(told.toReversed(), 3)
      assert.deepEqual(await graph.periods(), first)
    })
    await fc.assert(property, { numRuns })
  })
})
