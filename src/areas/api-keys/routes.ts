import { change, type Route, read } from '../../http/route.ts'
import { Nothing } from '../../http/schemas.ts'
import { ApiKey, ApiKeyCreate, ApiKeyPage, ApiKeyParams, ApiKeyQuery, NewApiKey } from './schema.ts'
import type { ApiKeys } from './service.ts'

export function apiKeyRoutes(apiKeys: ApiKeys): Route[] {
  return [
    read(
      {
        path: '/api-keys',
        operationId: 'listApiKeys',
        summary: 'List API keys, without the keys themselves',
        description: 'Callers see their own keys, administrators see all.',
        permission: 'api-keys:self',
        query: ApiKeyQuery,
        answer: ApiKeyPage,
        madeFrom: ['api_keys']
      },
      ({ actor, query }) => apiKeys.list(actor, query)
    ),
    change(
      {
        method: 'POST',
        path: '/api-keys',
        operationId: 'createApiKey',
        summary: 'Make an API key',
        description: 'The answer is the only place where the key is ever shown.',
        permission: 'api-keys:self',
        audit: 'api-key.create',
        status: 201,
        body: ApiKeyCreate,
        answer: NewApiKey,
        errors: ['rights_exceeded']
      },
      ({ tx, actor, body }) => apiKeys.create(tx, actor, body)
    ),
    read(
      {
        path: '/api-keys/:id',
        operationId: 'getApiKey',
        summary: 'Get one API key, without the key itself',
        permission: 'api-keys:self',
        params: ApiKeyParams,
        answer: ApiKey,
        madeFrom: ['api_keys']
      },
      ({ actor, params }) => apiKeys.get(actor, params.id)
    ),
    change(
      {
        method: 'DELETE',
        path: '/api-keys/:id',
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description:
          'The next request with the key is refused, and what it is still being sent ends; on other replicas within a second, and within ten. Keys that were made with it, and with those, are revoked too: the audit trail has each of them.',
        permission: 'api-keys:self',
        audit: 'api-key.revoke',
        params: ApiKeyParams,
        answer: Nothing
      },
      ({ tx, actor, params }) => apiKeys.revoke(tx, actor, params.id)
    )
  ]
}
