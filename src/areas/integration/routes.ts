import { perform, type Route, read } from '../../http/route.ts'
import { ConnectionTest, ConnectionTestRequest, SourcePage, SourceParams, SourceQuery, SourceSpec } from './schema.ts'
import type { Integration } from './service.ts'

export function integrationRoutes(integration: Integration): Route[] {
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
