import { type Route, read } from '../../../http/route.ts'
import { Graph, GraphQuery, NodeParams, Path, PathQuery, WalkQuery } from '../schema.ts'
import type { Questions } from './questions.ts'

export function graphRoutes(questions: Questions): Route[] {
  const permission = 'lineage:read'
  return [
    read(
      {
        path: '/lineage/graph',
        operationId: 'getLineageGraph',
        summary: 'Get the graph around a node, or all of it',
        description:
          'Depth counts edges, of which there are two from data to data: into a job, and out of it. Answers that would be too large end early and say so; the cursor goes on from there, at the same time.',
        permission,
        query: GraphQuery,
        answer: Graph
      },
      ({ query }) => questions.graph(query)
    ),
    read(
      {
        path: '/lineage/upstream/:id',
        operationId: 'getLineageUpstream',
        summary: 'Get where data comes from',
        permission,
        params: NodeParams,
        query: WalkQuery,
        answer: Graph
      },
      ({ params, query }) => questions.around(params.id, 'upstream', query)
    ),
    read(
      {
        path: '/lineage/downstream/:id',
        operationId: 'getLineageDownstream',
        summary: 'Get what becomes of data',
        permission,
        params: NodeParams,
        query: WalkQuery,
        answer: Graph
      },
      ({ params, query }) => questions.around(params.id, 'downstream', query)
    ),
    read(
      {
        path: '/lineage/path',
        operationId: 'getLineagePath',
        summary: 'Find a shortest way from one node to another',
        permission,
        query: PathQuery,
        answer: Path
      },
      ({ query }) => questions.path(query)
    )
  ]
}
