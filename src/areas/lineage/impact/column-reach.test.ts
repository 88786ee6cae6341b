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
const budget = { maxNodes: 1000, maxDepth: 1000, hasTime: () => true }

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

  it('follows a link of which no columns are told, and of another its columns alone', async () => {
    await graph.empty()
    const [from, told, untold] = DATA.map(nodeKey) as [string, string, string]
    const period = {
      how: 'manual',
      started_ms: 1,
      ended_ms: null,
      job: '',
      seen_ms: 1,
      runs: 0,
      who: 'a test'
    } as const
    await graph.metadata.transaction(async (tx) => {
      const edges = [told, untold].map((to) => ({ ...period, from_node: from, to_node: to, type: 'links' as const }))
      const mapping = {
        ...period,
        from_node: from,
        from_column: 'x',
        to_node: told,
        to_column: 'y',
        kind: 'identity' as const
      }
      await tx.insertInto('lineage_edges').values(edges).execute()
      await tx.insertInto('lineage_mappings').values(mapping).execute()
    })
    const reached = async (column: string) => {
      const asked = { root: { node: from, column }, depth: 1000, atMs: 5 }
      return (await columnReachOf(graph.metadata, asked, budget)).nodes.map(({ key }) => key).sort()
    }
    assert.deepEqual(await reached('x'), [told, untold].sort())
    assert.deepEqual(await reached('z'), [untold])
  })

  it('takes no more time for each of many that read the same data', async () => {
    await graph.empty()
    const hub = { reference: DATA[0] as string }
    const readerNo = (n: number): Sighting => {
      const output = { reference: `dataset://t/out${n}` }
      return {
        job: { reference: `job://t/read${n}` },
        inputs: [hub],
        outputs: [output],
        // Of every tenth no columns are known.
        columns:
          n % 10 === 0 ? [] : [{ from: { ...hub, column: 'x' }, to: { ...output, column: 'y' }, kind: 'identity' }],
        run: { id: 'r', state: 'completed', timeMs: 1, isWhole: true },
        provenance: { how: 'openlineage', who: 'a test' }
      }
    }
    const add = (from: number, to: number) =>
      graph.metadata.transaction((tx) =>
        graph.lineage.saw(
          tx,
          Array.from({ length: to - from }, (_, n) => readerNo(from + n))
        )
      )
    const timeOf = async (column: string, expected: number) => {
      const asked = { root: { node: nodeKey(hub.reference), column }, depth: 1000, atMs: 5 }
      const times: number[] = []
      // What else runs on the machine only ever makes it slower, and a few milliseconds are soon many times as much.
      for (let round = 0; round < 12; round++) {
        const startedMs = performance.now()
        const { nodes } = await columnReachOf(graph.metadata, asked, { ...budget, maxNodes: 100_000 })
        times.push(performance.now() - startedMs)
        assert.equal(nodes.length, expected)
      }
      return Math.min(...times)
    }
    await add(0, 500)
    const [few, fewUnknown] = [await timeOf('x', 1000), await timeOf('z', 100)]
    await add(500, 5000)
    const [many, manyUnknown] = [await timeOf('x', 10_000), await timeOf('z', 1000)]
    // Ten times as many; each for each would be a hundred times.
    assert.ok(many < 30 * few, `${few} ms, then ${many} ms`)
    assert.ok(manyUnknown < 30 * fewUnknown, `${fewUnknown} ms, then ${manyUnknown} ms`)
  })
})
