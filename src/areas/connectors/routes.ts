import { Force } from '../../http/in-use.ts'
import { change, perform, type Route, read } from '../../http/route.ts'
import { Closed, Nothing } from '../../http/schemas.ts'
import { ConnectionTest } from '../integration/index.ts'
import type { ConnectorTests } from './connector-tests.ts'
import {
  Connector,
  ConnectorCreate,
  ConnectorPage,
  ConnectorParams,
  ConnectorQuery,
  ConnectorUpdate,
  Discovery,
  Sample,
  SampleRequest,
  StreamPage,
  StreamQuery,
  TestPage,
  TestQuery
} from './schema.ts'
import type { Connectors } from './service.ts'
import type { Streams } from './streams.ts'

export function connectorRoutes(connectors: Connectors, tests: ConnectorTests, streams: Streams): Route[] {
  return [
    read(
      {
        path: '/connectors',
        operationId: 'listConnectors',
        summary: 'List connectors',
        permission: 'connectors:read',
        query: ConnectorQuery,
        answer: ConnectorPage
      },
      ({ query }) => connectors.list(query)
    ),
    change(
      {
        method: 'POST',
        path: '/connectors',
        operationId: 'createConnector',
        summary: 'Connect a system',
        description: 'What is secret in its configuration is sealed, and never shown again.',
        permission: 'connectors:write',
        audit: 'connector.create',
        status: 201,
        body: ConnectorCreate,
        answer: Connector,
        errors: ['name_taken', 'secret_bound'],
        gather: ({ actor, body }) => connectors.prepareNew(actor, body)
      },
      ({ tx, actor, body, gathered }) => connectors.create(tx, actor, body, gathered)
    ),
    read(
      {
        path: '/connectors/:id',
        operationId: 'getConnector',
        summary: 'Get one connector, without its secrets',
        permission: 'connectors:read',
        params: ConnectorParams,
        answer: Connector
      },
      ({ params }) => connectors.get(params.id)
    ),
    change(
      {
        method: 'PUT',
        path: '/connectors/:id',
        operationId: 'updateConnector',
        summary: 'Change a connector',
        description: 'With another configuration it is untested again.',
        permission: 'connectors:write',
        audit: 'connector.update',
        params: ConnectorParams,
        body: ConnectorUpdate,
        answer: Connector,
        errors: ['name_taken', 'secret_bound', 'stale_version'],
        gather: ({ actor, params, body }) => connectors.prepareChange(actor, params.id, body)
      },
      ({ tx, params, body, gathered }) => connectors.update(tx, params.id, body, gathered)
    ),
    change(
      {
        method: 'DELETE',
        path: '/connectors/:id',
        operationId: 'deleteConnector',
        summary: 'Delete a connector',
        description: 'With its tests and what was discovered. Nothing changes in the system that it leads to.',
        permission: 'connectors:write',
        audit: 'connector.delete',
        params: ConnectorParams,
        query: Closed({ force: Force() }),
        answer: Nothing,
        errors: ['in_use']
      },
      ({ tx, params, query }) => connectors.delete(tx, params.id, query.force === true)
    ),
    perform(
      {
        method: 'POST',
        path: '/connectors/:id/test',
        operationId: 'testConnector',
        summary: 'Test a connector',
        description:
          'Tries one step after the other, for half a minute at most. The status is 200 whatever comes out, and the connector has its `status` by it. Every connector is tested again by itself a quarter of an hour after its last test.',
        permission: 'connectors:write',
        audit: 'connector.test',
        params: ConnectorParams,
        answer: ConnectionTest,
        errors: ['secrets_unreadable']
      },
      ({ params }) => tests.test(params.id)
    ),
    read(
      {
        path: '/connectors/:id/tests',
        operationId: 'listConnectorTests',
        summary: 'List the tests of a connector, the last one first',
        description: 'The last 100 are kept.',
        permission: 'connectors:read',
        params: ConnectorParams,
        query: TestQuery,
        answer: TestPage
      },
      ({ params, query }) => tests.history(params.id, query)
    ),
    perform(
      {
        method: 'POST',
        path: '/connectors/:id/discover',
        operationId: 'discoverConnector',
        summary: 'Find what can be read',
        description: 'Takes the place of what was found before, and tells what is otherwise.',
        permission: 'connectors:write',
        audit: 'connector.discover',
        params: ConnectorParams,
        answer: Discovery,
        errors: ['source_failed', 'unknown_stream', 'unreadable_stream', 'secrets_unreadable']
      },
      ({ params }) => streams.discover(params.id)
    ),
    read(
      {
        path: '/connectors/:id/streams',
        operationId: 'listConnectorStreams',
        summary: 'List what can be read, as it was last found',
        permission: 'connectors:read',
        params: ConnectorParams,
        query: StreamQuery,
        answer: StreamPage
      },
      ({ params, query }) => streams.list(params.id, query)
    ),
    read(
      {
        method: 'POST',
        path: '/connectors/:id/read',
        operationId: 'readConnector',
        summary: 'Read some records of a stream',
        description:
          'Nothing is kept. Columns above the caller’s clearance are masked, or all is refused, as their level says.',
        permission: 'connectors:read',
        params: ConnectorParams,
        body: SampleRequest,
        answer: Sample,
        errors: [
          'source_failed',
          'unknown_stream',
          'unreadable_stream',
          'sample_too_large',
          'above_clearance',
          'secrets_unreadable'
        ]
      },
      (context) => streams.read(context, context.params.id, context.body)
    )
  ]
}
