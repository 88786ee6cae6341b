import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { systemClock } from '../../../engines/clock.ts'
import type { ColumnMapping, MappingKind } from '../sighting.ts'
import { GraphDatabase } from '../testing/graph-database.ts'
import { naiveColumns, nameOf } from '../testing/naive-columns.ts'
import { ColumnQuestions } from './service.ts'

const numRuns = process.env.TEST_POSTGRES_URL === undefined ? 150 : 25

const DATA = ['dataset://t/a', 'dataset://t/b', 'dataset://t/c', 'dataset://t/d']
const KINDS: readonly MappingKind[] = ['identity', 'computed', 'masked', 'masked', 'filtered', 'grouped']

const reference = fc.constantFrom(...DATA)
const place = fc.record({ reference, column: fc.constantFrom('x', 'y', 'x', 'y', null) })
const mapping: fc.Arbitrary<ColumnMapping> = fc.record({ from: place, to: place, kind: fc.constantFrom(...KINDS) })
const pair = fc.record({ from: reference, to: reference }).filter(({ from, to }) => from !== to)

const question = fc.record({
  mappings: fc.array(mapping, { minLength: 3, maxLength: 9 }),
  names: fc.uniqueArray(pair, { maxLength: 2, selector: ({ from, to }) => `${from} ${to}` }),
  direction: fc.constantFrom('upstream' as const, 'downstream' as const),
  influences: fc.boolean()
})

describe('the way of a column', () => {
  let graph: GraphDatabase
  before(async () => {
    graph = await GraphDatabase.open()
  })
  after(() => graph.close())

  async function draw(mappings: readonly ColumnMapping[], names: readonly { from: string; to: string }[]) {
    await graph.empty()
    const data = DATA.map((one) => ({ reference: one }))
    await graph.metadata.transaction(async (tx) => {
      await graph.lineage.saw(tx, [
        {
          job: { reference: 'job://t/one' },
          run: { id: 'r', state: 'completed', timeMs: 1, isWhole: true },
          inputs: data,
          outputs: data,
          columns: mappings,
          provenance: { how: 'captured', who: 'a test' }
        }
      ])
      await graph.addNames(tx, names)
    })
  }

  it('is what trying all ways comes to: columns, distances and masks', async () => {
    const questions = new ColumnQuestions({ metadata: graph.metadata, clock: systemClock })
    const property = fc.asyncProperty(question, async ({ mappings, names, direction, influences }) => {
      await draw(mappings, names)
      const root = { reference: DATA[0] as string, column: 'x' }
      const expected = naiveColumns({ mappings, names }, root, direction, influences)
      const answer = await questions.ask({ root: root.reference, column: 'x', direction, influences })
      const found = answer.columns.map(({ id, column, distance, masked }): [string, object] => [
        nameOf({ reference: id, column }),
        { distance, masked }
      ])
      assert.deepEqual(new Map(found), expected)
      assert.equal(answer.truncated, false)
    })
    await fc.assert(property, { numRuns })
  })
})
