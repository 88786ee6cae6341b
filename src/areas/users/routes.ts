import type { Role } from '../../engines/identity/index.ts'
import { permissionsOf } from '../../http/permissions.ts'
import { change, type Route, read } from '../../http/route.ts'
import type { ExplainToken } from './explain.ts'
import { Me, TokenExplanation, TokenQuestion, User, UserPage, UserParams, UserQuery, UserUpdate } from './schema.ts'
import type { Users } from './service.ts'

interface Needs {
  readonly users: Users
  readonly explainToken: ExplainToken
  /** Which data a role may see, in words. */
  clearanceOf(role: Role | undefined): Promise<string>
}

export function userRoutes({ users, explainToken, clearanceOf }: Needs): Route[] {
  return [
    read(
      {
        path: '/users',
        operationId: 'listUsers',
        summary: 'List the users that have been seen',
        permission: 'users:admin',
        query: UserQuery,
        answer: UserPage,
        madeFrom: ['users']
      },
      ({ query }) => users.list(query)
    ),
    read(
      {
        path: '/users/me',
        operationId: 'getMe',
        summary: 'Tell who the caller is and what it may do',
        permission: 'users:self',
        answer: Me
      },
      async ({ actor }) => ({
        user: await users.get(actor.id),
        role: actor.role ?? null,
        apiKeyId: actor.apiKeyId ?? null,
        clearance: await clearanceOf(actor.role),
        permissions: permissionsOf(actor)
      })
    ),
    read(
      {
        path: '/users/:id',
        operationId: 'getUser',
        summary: 'Get one user',
        permission: 'users:admin',
        params: UserParams,
        answer: User,
        madeFrom: ['users']
      },
      ({ params }) => users.get(params.id)
    ),
    change(
      {
        method: 'PUT',
        path: '/users/:id',
        operationId: 'updateUser',
        summary: 'Disable a user, or enable it again',
        description: 'Roles, name and e-mail come from the identity provider and are changed there.',
        permission: 'users:admin',
        audit: 'user.update',
        params: UserParams,
        body: UserUpdate,
        answer: User,
        errors: ['unprocessable']
      },
      ({ tx, actor, params, body }) => users.update(tx, actor, params.id, body)
    ),
    read(
      {
        method: 'POST',
        path: '/users/explain-token',
        operationId: 'explainToken',
        summary: 'Tell why a token is accepted or refused',
        description:
          'Runs every check on the token and tells the result of each. The token is neither kept nor logged.',
        permission: 'users:admin',
        body: TokenQuestion,
        answer: TokenExplanation
      },
      ({ body }) => explainToken(body.token)
    )
  ]
}
