import { change, type Route, read } from '../../http/route.ts'
import { Type } from '../../http/type.ts'
import { Authorization, AuthorizationParams, AuthorizationRequest, BegunAuthorization } from './authorization-schema.ts'
import type { Authorizations } from './authorizations.ts'

export function authorizationRoutes(authorizations: Authorizations): Route[] {
  return [
    change(
      {
        method: 'POST',
        path: '/integration/authorizations',
        operationId: 'beginAuthorization',
        summary: 'Have a person permit access to a service',
        description:
          'For sources of OAuth 2 that ask people. Open `authorizationUrl` in a browser within ten minutes; the service sends it back to `/api/integration/authorizations/callback` of this server, which has to be among the redirect addresses that the client is registered with there. Then make the connector with `authorizationId` in place of the refresh token, which is never shown.',
        permission: 'integration:write',
        audit: 'authorization.create',
        status: 201,
        body: AuthorizationRequest,
        answer: BegunAuthorization,
        errors: ['secret_bound'],
        gather: ({ actor, body, headers }) => authorizations.prepareNew(actor, body, headers.host)
      },
      ({ tx, gathered }) => authorizations.begin(tx, gathered)
    ),
    read(
      {
        path: '/integration/authorizations/:id',
        operationId: 'getAuthorization',
        summary: 'Get whether access was permitted',
        description: 'Only whoever began it sees it.',
        permission: 'integration:read',
        params: AuthorizationParams,
        answer: Authorization
      },
      ({ actor, params }) => authorizations.get(actor, params.id)
    ),
    read(
      {
        path: '/integration/authorizations/callback',
        operationId: 'finishAuthorization',
        summary: 'Take what a person comes back with from a service',
        description:
          'A page for browsers, which needs no token: the state in its address is good once, for ten minutes. It says what came of it, and shows nothing else.',
        permission: 'public',
        anyQuery: true, // services add what they like
        produces: 'text/html',
        answer: Type.Unsafe<string>({ type: 'string', description: 'A page that says what came of it' }),
        errors: ['rate_limited']
      },
      ({ raw }) => authorizations.finish(new URL(raw.url ?? '', 'http://localhost').searchParams)
    )
  ]
}
