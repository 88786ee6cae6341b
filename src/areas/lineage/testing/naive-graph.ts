import type { ColumnMapping, Sighting } from '../sighting.ts'
import { heldAt } from './naive-periods.ts'
import { DATA, JOBS } from './sightings.ts'

type Direction = 'upstream' | 'downstream'

/** `from to` of every edge of which somebody says at the time that it holds. */
export function naiveEdges(sightings: readonly Sighting[], atMs: number): Set<string> {
  const edges = new Set<string>()
  for (const told of byTeller(sightings)) {
    for (const job of JOBS) {
      for (const data of DATA) {
        const names = (side: 'inputs' | 'outputs') => (one: Sighting) =>
          one[side].some(({ reference }) => reference === data)
        if (heldAt(told, job, names('inputs'), atMs)) edges.add(`${data} ${job}`)
        if (heldAt(told, job, names('outputs'), atMs)) edges.add(`${job} ${data}`)
      }
    }
  }
  return edges
}

export const mappingName = (job: string | null, { from, to, kind }: ColumnMapping): string =>
  JSON.stringify([job, from.reference, from.column, to.reference, to.column, kind])

/** Every mapping of which somebody says at the time that it holds. */
export function naiveMappings(sightings: readonly Sighting[], atMs: number): Set<string> {
  const found = new Set<string>()
  for (const told of byTeller(sightings)) {
    for (const { job, columns } of told) {
      for (const one of columns) {
        const name = mappingName(job.reference, one)
        const says = ({ columns: all }: Sighting) => all.some((other) => mappingName(job.reference, other) === name)
        if (heldAt(told, job.reference, says, atMs)) found.add(name)
      }
    }
  }
  return found
}

/** Those of the edges that are met on ways of so many edges from the root, and the nodes. */
export function naiveAround(edges: ReadonlySet<string>, root: string, directions: readonly Direction[], depth: number) {
  const met = new Set<string>()
  const nodes = new Set([root])
  for (const direction of directions) {
    let border = new Set([root])
    for (let distance = 0; distance < depth; distance++) {
      const next = new Set<string>()
      for (const edge of edges) {
        const [near, far] = direction === 'downstream' ? edge.split(' ') : edge.split(' ').reverse()
        if (!border.has(near as string)) continue
        met.add(edge)
        nodes.add(far as string)
        next.add(far as string)
      }
      border = next
    }
  }
  return { edges: met, nodes }
}

function byTeller(sightings: readonly Sighting[]): Sighting[][] {
  return [...Map.groupBy(sightings, ({ provenance }) => provenance.how).values()]
}
