import { Params } from '../../http/params.ts'
import { Closed, Id, Nullable, OneOf, Timestamp } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { ConfigBody, SourceId } from './schema.ts'

const STATUSES = ['waiting', 'exchanging', 'permitted', 'failed'] as const

const facts = {
  id: Id('aut', 'authorization'),
  sourceId: SourceId,
  status: OneOf(STATUSES, 'Whether the person has permitted it; `permitted`: a connector can be made with it'),
  message: Nullable(Type.String({ description: 'Why it failed' })),
  expiresAt: Timestamp('When it is forgotten: ten minutes after it was begun, an hour after it was permitted'),
  createdAt: Timestamp('When it was begun')
}

const EXAMPLE = {
  id: 'aut_01kb8y2m6ze8r4n0c5t7w9q3fd',
  sourceId: 'asana',
  status: 'waiting',
  message: null,
  expiresAt: '2026-01-01T08:10:00.000Z',
  createdAt: '2026-01-01T08:00:00.000Z'
} as const

export const Authorization = Type.Object(facts, { $id: 'IntegrationAuthorization', examples: [EXAMPLE] })
export type Authorization = Static<typeof Authorization>

export const BegunAuthorization = Type.Object(
  {
    ...facts,
    authorizationUrl: Type.String({ description: 'Where the person permits it, with a browser' }),
    state: Type.String({ description: 'What they come back with; good once' })
  },
  {
    $id: 'BegunIntegrationAuthorization',
    examples: [
      {
        ...EXAMPLE,
        authorizationUrl: 'https://app.asana.com/-/oauth_authorize?response_type=code&client_id=12&state=x',
        state: 'x'
      }
    ]
  }
)
export type BegunAuthorization = Static<typeof BegunAuthorization>

export const AuthorizationRequest = Closed(
  {
    sourceId: SourceId,
    config: ConfigBody,
    connectorId: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'A connector of that source: secrets that are left out of `config` are taken from it'
      })
    )
  },
  {
    $id: 'IntegrationAuthorizationRequest',
    description: 'The configuration that a connector is to have, without the refresh token that comes of it.'
  }
)
export type AuthorizationRequest = Static<typeof AuthorizationRequest>

export const AuthorizationParams = Params('authorization', 'id', { id: Type.String({ maxLength: 64 }) })
