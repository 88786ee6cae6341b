import { change, type Route, read } from '../../../http/route.ts'
import { Nothing } from '../../../http/schemas.ts'
import { NodeParams } from '../schema.ts'
import { NodeDetails, NodePage, NodeQuery, NodeUpdate, RunPage, RunQuery } from './schema.ts'
import type { Nodes } from './service.ts'

export function nodeRoutes(nodes: Nodes): Route[] {
  const permission = 'lineage:read'
  return [
    read(
      {
        path: '/lineage/nodes',
        operationId: 'listLineageNodes',
        summary: 'List the data and jobs that are known',
        permission,
        query: NodeQuery,
        answer: NodePage
      },
      ({ query }) => nodes.list(query)
    ),
    read(
      {
        path: '/lineage/nodes/:id',
        operationId: 'getLineageNode',
        summary: 'Get what is known of data or a job',
        permission,
        params: NodeParams,
        answer: NodeDetails
      },
      ({ params }) => nodes.get(params.id)
    ),
    change(
      {
        method: 'PUT',
        path: '/lineage/nodes/:id',
        operationId: 'updateLineageNode',
        summary: 'Say who answers for data or a job, and what it is',
        description: 'What a person says counts from then on, whatever automation tells; null takes it back.',
        permission: 'lineage:write',
        audit: 'lineage-node.update',
        params: NodeParams,
        body: NodeUpdate,
        answer: NodeDetails
      },
      ({ tx, params, body }) => nodes.update(tx, params.id, body)
    ),
    change(
      {
        method: 'DELETE',
        path: '/lineage/nodes/:id',
        operationId: 'deleteLineageNode',
        summary: 'Delete data or a job that only links by hand have named',
        description: 'Once its links have ended: they are deleted with it, also from graphs of earlier times.',
        permission: 'lineage:write',
        audit: 'lineage-node.delete',
        params: NodeParams,
        answer: Nothing,
        errors: ['in_use']
      },
      ({ tx, params }) => nodes.delete(tx, params.id)
    ),
    read(
      {
        path: '/lineage/nodes/:id/runs',
        operationId: 'listLineageRuns',
        summary: 'List the runs of a job, the newest first',
        permission,
        params: NodeParams,
        query: RunQuery,
        answer: RunPage
      },
      ({ params, query }) => nodes.runs(params.id, query)
    )
  ]
}
