import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { systemClock } from '../../../engines/clock.ts'
import { Questions } from '../graph/questions.ts'
import type { Sighting } from '../sighting.ts'
import { GraphDatabase } from '../testing/graph-database.ts'
import { mappingName, naiveAround, naiveEdges, naiveMappings } from '../testing/naive-graph.ts'
import { anySighting, DATA, JOBS } from '../testing/sightings.ts'
import type { Difference, DifferenceQuery } from './schema.ts'
import { Differences } from './service.ts'

const numRuns = process.env.TEST_POSTGRES_URL === undefined ? 120 : 20
const iso = (ms: number) => new Date(ms).toISOString()

/** Two kinds of tellers, so that one may go on saying what the other no longer does. */
const told = fc.array(
  fc
    .tuple(anySighting, fc.constantFrom('openlineage' as const, 'captured' as const))
    .map(([one, how]): Sighting => ({ ...one, provenance: { how, who: 'a test' } })),
  { minLength: 1, maxLength: 16 }
)
const moment = fc.integer({ min: 0, max: 21 })
const centre = fc.record({
  root: fc.constantFrom(...DATA, ...JOBS),
  direction: fc.constantFrom('upstream' as const, 'downstream' as const, 'both' as const),
  depth: fc.integer({ min: 1, max: 4 })
})

const without = (all: ReadonlySet<string>, other: ReadonlySet<string>): string[] => [...all.difference(other)].sort()
const directionsOf = (direction: 'upstream' | 'downstream' | 'both') =>
  direction === 'both' ? (['upstream', 'downstream'] as const) : [direction]

describe('what has changed', () => {
  let graph: GraphDatabase
  let differences: Differences
  before(async () => {
    graph = await GraphDatabase.open()
    differences = new Differences({ metadata: graph.metadata, clock: systemClock })
  })
  after(() => graph.close())

  async function tell(sightings: readonly Sighting[]): Promise<void> {
    await graph.empty()
    for (const one of sightings) await graph.metadata.transaction((tx) => graph.lineage.saw(tx, [one]))
  }

  /** All parts of an answer together. */
  async function whole(query: DifferenceQuery) {
    const parts: Difference[] = []
    let cursor: string | null = null
    do {
      const part: Difference = await differences.ask({ ...query, ...(cursor !== null && { cursor }) })
      assert.ok(part.added.edges.length + part.ended.edges.length <= (query.limit ?? 1000))
      assert.equal(part.truncated, part.nextCursor !== null)
      parts.push(part)
      cursor = part.nextCursor
    } while (cursor !== null)
    const edges = (change: 'added' | 'ended') =>
      parts.flatMap((part) => part[change].edges.map(({ from, to }) => `${from} ${to}`)).sort()
    const columns = (change: 'added' | 'ended') =>
      parts
        .flatMap((part) =>
          part[change].columns.map(({ job, from, to, kind }) =>
            mappingName(job, {
              from: { reference: from.id, column: from.column },
              to: { reference: to.id, column: to.column },
              kind
            })
          )
        )
        .sort()
    return { added: edges('added'), ended: edges('ended'), mapped: columns('added'), unmapped: columns('ended') }
  }

  it('is what the rule gives for both times, in parts of any size', async () => {
    const property = fc.asyncProperty(
      told,
      moment,
      moment,
      fc.integer({ min: 1, max: 6 }),
      async (sightings, a, b, limit) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
        await tell(sightings)
        const [before, later] = [naiveEdges(sightings, from), naiveEdges(sightings, to)]
        const [mapped, remapped] = [naiveMappings(sightings, from), naiveMappings(sightings, to)]
        assert.deepEqual(await whole({ from: iso(from), to: iso(to), limit }), {
          added: without(later, before),
          ended: without(before, later),
          mapped: without(remapped, mapped),
          unmapped: without(mapped, remapped)
        })
      }
    )
    await fc.assert(property, { numRuns })
  })

  it('is that of the graphs around a node', async () => {
    const property = fc.asyncProperty(
      told,
      moment,
      moment,
      centre,
      async (sightings, a, b, { root, direction, depth }) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
        await tell(sightings)
        if (!sightings.some((one) => JSON.stringify(one).includes(root))) return
        const [before, later] = [naiveEdges(sightings, from), naiveEdges(sightings, to)]
        const near = (edges: Set<string>) => naiveAround(edges, root, directionsOf(direction), depth)
        const found = await whole({ from: iso(from), to: iso(to), root, direction, depth, limit: 5 })
        assert.deepEqual(found.added, without(near(later).edges, before))
        assert.deepEqual(found.ended, without(near(before).edges, later))
        const within = (names: readonly string[], { nodes }: { nodes: ReadonlySet<string> }) =>
          names.filter((name) => {
            const [job, one, , other] = JSON.parse(name)
            return [job, one, other].every((node) => nodes.has(node))
          })
        const [mapped, remapped] = [naiveMappings(sightings, from), naiveMappings(sightings, to)]
        assert.deepEqual(found.mapped, within(without(remapped, mapped), near(later)))
        assert.deepEqual(found.unmapped, within(without(mapped, remapped), near(before)))
      }
    )
    await fc.assert(property, { numRuns })
  })

  it('fits the graph as it was at any time', async () => {
    const questions = new Questions({ metadata: graph.metadata, clock: systemClock })
    const property = fc.asyncProperty(told, moment, async (sightings, at) => {
      await tell(sightings)
      const { edges } = await questions.graph({ asOf: iso(at) })
      assert.deepEqual(edges.map(({ from, to }) => `${from} ${to}`).sort(), [...naiveEdges(sightings, at)].sort())
    })
    await fc.assert(property, { numRuns })
  })
})
