import { change, perform, type Route, read } from '../../http/route.ts'
import { Nothing } from '../../http/schemas.ts'
import type { OwnSources } from './own-sources.ts'
import {
  ConnectionTest,
  ConnectionTestRequest,
  EntryBody,
  OwnSource,
  SourcePage,
  SourceParams,
  SourceQuery,
  SourceSpec
} from './schema.ts'
import type { Integration } from './service.ts'

export function integrationRoutes(integration: Integration, own: OwnSources): Route[] {
  return [
    read(
      {
        path: '/integration/sources',
        operationId: 'listIntegrationSources',
        summary: 'List the kinds of systems that can be connected',
        permission: 'integration:read',
        query: SourceQuery,
        answer: SourcePage
      },
      ({ query }) => integration.list(query)
    ),
    read(
      {
        path: '/integration/sources/:id/spec',
        operationId: 'getIntegrationSourceSpec',
        summary: 'Get what a source needs to know',
        description: 'With the schema of its configuration, from which a form can be drawn.',
        permission: 'integration:read',
        params: SourceParams,
        answer: SourceSpec
      },
      ({ params }) => integration.spec(params.id)
    ),
    change(
      {
        method: 'POST',
        path: '/integration/sources',
        operationId: 'createIntegrationSource',
        summary: 'Add a source of your own',
        description:
          'A service with an HTTP interface, told in the form of those that are shipped. It is checked as they are, and can go only where calls may go.',
        permission: 'integration:write',
        audit: 'integration-source.create',
        status: 201,
        body: EntryBody,
        answer: OwnSource,
        errors: ['name_taken', 'too_many_sources'],
        gather: ({ body }) => own.prepareNew(body)
      },
      ({ tx, actor, gathered }) => own.create(tx, actor, gathered)
    ),
    read(
      {
        path: '/integration/sources/:id',
        operationId: 'getIntegrationSource',
        summary: 'Get a source as it was sent, or as it is shipped',
        description: 'In the form in which sources are added. One with a driver of its own has none.',
        permission: 'integration:read',
        params: SourceParams,
        answer: OwnSource
      },
      ({ params }) => own.get(params.id)
    ),
    change(
      {
        method: 'PUT',
        path: '/integration/sources/:id',
        operationId: 'updateIntegrationSource',
        summary: 'Change a source of your own',
        description: 'While connectors use it, it may not go to other addresses: their secrets were given for those.',
        permission: 'integration:write',
        audit: 'integration-source.update',
        params: SourceParams,
        body: EntryBody,
        answer: OwnSource,
        errors: ['in_use', 'shipped_source', 'stale_version'],
        gather: async ({ params, body }) => {
          await own.requireOwn(params.id)
          return own.prepare(body)
        }
      },
      ({ tx, params, gathered }) => own.update(tx, params.id, gathered)
    ),
    change(
      {
        method: 'DELETE',
        path: '/integration/sources/:id',
        operationId: 'deleteIntegrationSource',
        summary: 'Delete a source of your own',
        permission: 'integration:write',
        audit: 'integration-source.delete',
        params: SourceParams,
        answer: Nothing,
        errors: ['in_use', 'shipped_source'],
        gather: ({ params }) => own.requireOwn(params.id)
      },
      ({ tx, params }) => own.delete(tx, params.id)
    ),
    perform(
      {
        method: 'POST',
        path: '/integration/connections/test',
        operationId: 'testIntegrationConnection',
        summary: 'Test settings before a connector is made from them',
        description:
          'Tries one step after the other, for half a minute at most, and stops at the first that fails. The status is 200 whatever comes out: `success` tells whether reading would work, and each step has a stable `code` and the field at fault. No right is asked for that reading does not need.',
        permission: 'integration:write',
        audit: 'connection.test',
        body: ConnectionTestRequest,
        answer: ConnectionTest
      },
      ({ body }) => integration.test(body)
    )
  ]
}
