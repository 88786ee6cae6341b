import { change, type Route, read } from '../../../http/route.ts'
import { Nothing } from '../../../http/schemas.ts'
import { Link, LinkCreate, LinkPage, LinkParams, LinkQuery, LinkUpdate } from './schema.ts'
import type { Links } from './service.ts'

export function linkRoutes(links: Links): Route[] {
  return [
    read(
      {
        path: '/lineage/links',
        operationId: 'listLineageLinks',
        summary: 'List the edges that people have drawn',
        permission: 'lineage:read',
        query: LinkQuery,
        answer: LinkPage
      },
      ({ query }) => links.list(query)
    ),
    change(
      {
        method: 'POST',
        path: '/lineage/links',
        operationId: 'createLineageLink',
        summary: 'Draw an edge',
        description:
          'From data to data, from data to a job, or from a job to data. It holds until somebody deletes it, whatever jobs tell.',
        permission: 'lineage:write',
        audit: 'lineage-link.create',
        status: 201,
        body: LinkCreate,
        answer: Link,
        errors: ['name_taken']
      },
      ({ tx, actor, body }) => links.create(tx, actor, body)
    ),
    read(
      {
        path: '/lineage/links/:id',
        operationId: 'getLineageLink',
        summary: 'Get an edge that somebody has drawn',
        permission: 'lineage:read',
        params: LinkParams,
        answer: Link
      },
      ({ params }) => links.get(params.id)
    ),
    change(
      {
        method: 'PUT',
        path: '/lineage/links/:id',
        operationId: 'updateLineageLink',
        summary: 'Change the note or the columns of an edge',
        description:
          'Columns that are no longer named end now, and stay in the past; new ones begin now. Who names columns has to have the clearance for the data at both ends.',
        permission: 'lineage:write',
        audit: 'lineage-link.update',
        params: LinkParams,
        body: LinkUpdate,
        answer: Link,
        errors: ['illegal_transition', 'above_clearance'],
        gather: async ({ actor, params, body }) => {
          if (body.columns !== undefined) await links.requireEnds(actor, params.id)
        }
      },
      ({ tx, actor, params, body }) => links.update(tx, actor, params.id, body)
    ),
    change(
      {
        method: 'DELETE',
        path: '/lineage/links/:id',
        operationId: 'deleteLineageLink',
        summary: 'End an edge that somebody has drawn',
        description:
          'Graphs of earlier times go on to have it. Levels that came by it go; who ends it has to have the clearance for the data at both ends.',
        permission: 'lineage:write',
        audit: 'lineage-link.delete',
        params: LinkParams,
        answer: Nothing,
        errors: ['illegal_transition', 'above_clearance'],
        gather: ({ actor, params }) => links.requireEnds(actor, params.id)
      },
      ({ tx, params }) => links.delete(tx, params.id)
    )
  ]
}
