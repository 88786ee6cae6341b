import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { NodeRow } from '../migrations.ts'
import { nodeKey } from '../references.ts'
import type { Sighting } from '../sighting.ts'
import { GraphDatabase } from '../testing/graph-database.ts'
import { anySighting, DATA, JOBS } from '../testing/sightings.ts'
import { begin } from './ahead.ts'
import { findPath } from './path.ts'
import type { GraphReader } from './reader.ts'
import { walk } from './walk.ts'

const NOBODY: NodeRow = { key: 'nobody', reference: 'nobody', kind: 'dataset', name: '', is_pattern: 0, facts: '{}' }

describe('what is around a node', () => {
  let graph: GraphDatabase
  before(async () => {
    graph = await GraphDatabase.open()
  })
  after(() => graph.close())

  it('is the same whether it is asked for at once or step by step', async () => {
    const asked = fc.record({
      root: fc.constantFrom(...DATA, ...JOBS),
      direction: fc.constantFrom('upstream', 'downstream'),
      depth: fc.integer({ min: 3, max: 8 }),
      atMs: fc.integer({ min: 1, max: 25 })
    })
    const property = fc.asyncProperty(
      fc.array(anySighting, { minLength: 3, maxLength: 12 }),
      asked,
      async (told, ask) => {
        await graph.empty()
        for (const one of told) await graph.metadata.transaction((tx) => graph.lineage.saw(tx, [one]))
        const { dialect, db } = graph.metadata
        const steps = async (reader: GraphReader) =>
          (await Array.fromAsync(walk(reader, { ...ask, root: nodeKey(ask.root) }))).flat()
        // With a node that no row is of, each step is asked for by itself.
        const oneByOne = { dialect, db, unstored: [{ row: NOBODY, edges: [] }] }
        assert.deepEqual(await steps({ dialect, db }), await steps(oneByOne))
      }
    )
    await fc.assert(property, { numRuns: 40 })
  })

  it('is the same over more steps than are read at once, and so is the way through them', async () => {
    await graph.empty()
    const data = Array.from({ length: 17 }, (_, n) => `dataset://long/${n}`)
    for (const [n, reference] of data.slice(1).entries()) {
      const sighting: Sighting = {
        job: { reference: `job://cron/${n}` },
        run: { id: 'r', timeMs: 1, state: 'completed', isWhole: true },
        // Back to the beginning, too.
        inputs: [{ reference: data[n] as string }, ...(n === 12 ? [{ reference: data[0] as string }] : [])],
        outputs: [{ reference }],
        columns: [],
        provenance: { how: 'openlineage', who: 'a test' }
      }
      await graph.metadata.transaction((tx) => graph.lineage.saw(tx, [sighting]))
    }
    const { dialect, db } = graph.metadata
    const oneByOne = { dialect, db, unstored: [{ row: NOBODY, edges: [] }] }
    const [first, last] = [nodeKey(data[0] as string), nodeKey(data.at(-1) as string)]
    for (const depth of [11, 13, 40]) {
      const begun = begin({ dialect, db }, { downstream: first, upstream: last }, { depth, atMs: 5 })
      for (const [direction, root] of [['downstream', first] as const, ['upstream', last] as const]) {
        const steps = async (reader: GraphReader) =>
          (await Array.fromAsync(walk(reader, { root, direction, depth, atMs: 5 }))).flat()
        const expected = await steps(oneByOne)
        assert.ok(expected.length > depth / 2)
        assert.deepEqual(await steps({ dialect, db }), expected)
        assert.deepEqual(await steps({ dialect, db, begun }), expected)
      }
    }
    const way = async (reader: GraphReader, from: string, to: string) =>
      (await findPath(reader, { from, to, atMs: 5 }, () => true)).edges
    const second = nodeKey(data[1] as string)
    assert.equal((await way({ dialect, db }, second, last))?.length, 30)
    assert.deepEqual(await way({ dialect, db }, second, last), await way(oneByOne, second, last))
    assert.deepEqual(await way({ dialect, db }, first, last), await way(oneByOne, first, last))
    assert.equal(await way({ dialect, db }, last, first), null)
  })

  it('is asked for step by step where there is much of it', async () => {
    await graph.empty()
    const outputs = Array.from({ length: 1200 }, (_, n) => ({ reference: `dataset://wide/${n}` }))
    const tell = (job: string, inputs: string[], some: typeof outputs) =>
      graph.metadata.transaction((tx) =>
        graph.lineage.saw(tx, [
          {
            job: { reference: job },
            run: { id: 'r', timeMs: 1, state: 'completed', isWhole: true },
            inputs: inputs.map((reference) => ({ reference })),
            outputs: some,
            columns: [],
            provenance: { how: 'openlineage', who: 'a test' }
          }
        ])
      )
    await tell('job://airflow/fan', ['dataset://wide/root'], outputs)
    await tell('job://airflow/on', ['dataset://wide/7'], [{ reference: 'dataset://wide/end' }])
    const { dialect, db } = graph.metadata
    const root = nodeKey('dataset://wide/root')
    const around = walk({ dialect, db }, { root, direction: 'downstream', depth: 4, atMs: 5 })
    const nodes = (await Array.fromAsync(around)).flat().filter(({ node }) => node !== undefined)
    assert.equal(nodes.length, 1 + 1 + 1200 + 1 + 1)
  })
})
