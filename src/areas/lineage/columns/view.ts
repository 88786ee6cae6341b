import { lastingOf, readJobs, readNodes } from '../graph/details.ts'
import type { GraphReader } from '../graph/reader.ts'
import type { NodeRow } from '../migrations.ts'
import type { ColumnEdge } from '../schema.ts'
import type { ColumnStep } from './column-walk.ts'
import type { Place } from './mapping-reader.ts'

/** Steps as they are shown, and the nodes that they name. */
export async function toColumnEdges(
  reader: GraphReader,
  steps: readonly ColumnStep[],
  others: readonly string[] = []
): Promise<{ edges: ColumnEdge[]; nodes: Map<string, NodeRow> }> {
  const keys = steps.flatMap(({ from, to, job }) => [from.node, to.node, job])
  const nodes = await readNodes(reader, [...new Set([...others, ...keys])])
  const jobs = await readJobs(
    reader,
    steps.flatMap(({ claims }) => claims)
  )
  const edges = steps.map(({ from, to, kind, job, claims }) => ({
    from: toPlace(from, nodes),
    to: toPlace(to, nodes),
    kind,
    job: job === '' ? null : (nodes.get(job)?.reference ?? job),
    ...lastingOf(claims, jobs)
  }))
  return { edges, nodes }
}

export const toPlace = ({ node, column }: Place, nodes: ReadonlyMap<string, NodeRow>) => ({
  id: nodes.get(node)?.reference ?? node,
  column: column === '' ? null : column
})
