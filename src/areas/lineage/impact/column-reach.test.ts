import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { nodeKey } from '../references.ts'
import type { ColumnMapping, Sighting } from '../sighting.ts'
import { GraphDatabase } from '../testing/graph-database.ts'
import { naiveImpact } from '../testing/naive-impact.ts'
import { columnReachOf } from './column-reach.ts'

const numRuns = process.env.TEST_POSTGRES_URL === undefined ? 200 : 25

const DATA = ['a', 'b', 'c', 'd', 'e'].map((name) => `dataset://t/${name}`)
const JOBS = ['one', 'two', 'three'].map((name) => `job://t/${name}`)
const budget = { maxNodes: 1000, hasTime: () => true }

const reference = fc.constantFrom(...DATA)
const place = fc.record({ reference, column: fc.constantFrom('x', 'y', 'x', 'y', null) })
const mapping: fc.Arbitrary<ColumnMapping> = fc.record({
  from: place,
  to: place,
  kind: fc.constantFrom('identity', 'filtered')
})
const data = fc.subarray(DATA).map((references) => references.map((one) => ({ reference: one })))
const pair = fc.record({ from: reference, to: reference }).filter(({ from, to }) => from !== to)

const sightings = fc
  .array(fc.record({ inputs: data, outputs: data, columns: fc.array(mapping, { maxLength: 3 }) }), { maxLength: 3 })
  .map((all) =>
    all.map(
      (one, number): Sighting => ({
        ...one,
        job: { reference: JOBS[number] as string },
        run: { id: 'r', state: 'completed', timeMs: 1, isWhole: true },
        provenance: { how: 'captured', who: 'a test' }
      })
    )
  )

describe('what depends on a column', () => {
  let graph: GraphDatabase
  before(async () => {
    graph = await GraphDatabase.open()
  })
  after(() => graph.close())

  it('is what the rule gives, and as far', async () => {
    const names = fc.uniqueArray(pair, { maxLength: 2, selector: ({ from, to }) => `${from} ${to}` })
    const property = fc.asyncProperty(sightings, names, async (told, same) => {
      await graph.empty()
      await graph.metadata.transaction(async (tx) => {
        await graph.lineage.saw(tx, told)
        await graph.addNames(tx, same)
      })
      const root = { reference: DATA[0] as string, column: 'x' }
      const asked = { root: { node: nodeKey(root.reference), column: 'x' }, depth: 1000, atMs: 5 }
      const { nodes } = await columnReachOf(graph.metadata, asked, budget)
      const expected = [...naiveImpact(told, same, root)].map(([node, distance]) => `${nodeKey(node)} ${distance}`)
      assert.deepEqual(nodes.map(({ key, distance }) => `${key} ${distance}`).sort(), expected.sort())
    })
    await fc.assert(property, { numRuns })
  })
})
