import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { nodeKey } from '../references.ts'
import type { Sighting } from '../sighting.ts'
import { GraphDatabase } from '../testing/graph-database.ts'
import { takePage } from './pages.ts'
import { shownSteps } from './shown.ts'
import { walk } from './walk.ts'

const HUB = 'dataset://shop/hub'
const READERS = 20

let graph: GraphDatabase
before(async () => {
  graph = await GraphDatabase.open()
  const sightings = Array.from({ length: READERS }, (_, n): Sighting => {
    return {
      job: { reference: `job://shop/j${n}` },
      inputs: [{ reference: HUB }],
      outputs: [{ reference: `dataset://shop/o${n}` }],
      columns: [],
      run: { id: 'r', state: 'completed', timeMs: 1, isWhole: true },
      provenance: { how: 'captured', who: 'a test' }
    }
  })
  await graph.metadata.transaction((tx) => graph.lineage.saw(tx, sightings))
})
after(() => graph.close())

function pageOf(limits: { maxNodes: number; maxEdges: number }) {
  const steps = walk(graph.metadata, { root: nodeKey(HUB), direction: 'downstream', depth: 10, atMs: 5 })
  const shown = shownSteps(graph.metadata, steps, new Set(['dataset']), limits)
  return takePage(shown, { skip: 0, limit: 1000 }, { now: () => 0 })
}

it('of a kind has all of a walk that is looked at to its end', async () => {
  const page = await pageOf({ maxNodes: 1 + 2 * READERS, maxEdges: READERS })
  assert.deepEqual([page.nodes.length, page.edges.length], [1 + READERS, READERS])
  assert.deepEqual([page.truncatedBy, page.goesOn], [null, false])
})

it('says so where not all of the walk was looked at, with nothing to go on with', async () => {
  const nodes = await pageOf({ maxNodes: 2 * READERS, maxEdges: READERS })
  assert.deepEqual([nodes.nodes.length, nodes.truncatedBy, nodes.goesOn], [READERS, 'nodes', false])
  const edges = await pageOf({ maxNodes: 1 + 2 * READERS, maxEdges: READERS - 1 })
  assert.deepEqual([edges.edges.length, edges.truncatedBy, edges.goesOn], [READERS - 1, 'edges', false])
})
