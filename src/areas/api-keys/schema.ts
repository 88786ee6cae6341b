import { ListQuery, Page, Search } from '../../http/paging.ts'
import { Params } from '../../http/params.ts'
import { SCOPE_IN_WORDS, SCOPE_PATTERN } from '../../http/permissions.ts'
import { Closed, Id, Name, Nullable, Timestamp } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { RoleName } from '../users/index.ts'

const Scopes = Type.Array(
  Type.String({
    maxLength: 64,
    pattern: SCOPE_PATTERN,
    'x-expected': SCOPE_IN_WORDS,
    description:
      'A permission such as `buckets:read`; `*` for either half stands for all. A single one that the role of the key does not have is refused, since it could never be used'
  }),
  { minItems: 1, maxItems: 100, uniqueItems: true }
)

const fields = {
  id: Id('key', 'API key'),
  name: Name('What the key is for'),
  ownerId: Id('usr', 'user who made it'),
  role: RoleName,
  scopes: Nullable(Scopes),
  hint: Type.String({ description: 'The first characters of the key, to recognise it by' }),
  expiresAt: Nullable(Timestamp('When the key stops working')),
  lastUsedAt: Nullable(Timestamp('When the key was last used, to the minute')),
  createdAt: Timestamp('When the key was made'),
  madeWith: Nullable(Id('key', 'API key that it was made with, and is revoked with'))
}

const example = {
  id: 'key_01kb8y2m6ze8r4n0c5t7w9q3fd',
  name: 'nightly export',
  ownerId: 'usr_01kb8y2m6ze8r4n0c5t7w9q3fd',
  role: 'viewer',
  scopes: ['users:*'],
  hint: 'mr_4kQz',
  expiresAt: null,
  lastUsedAt: null,
  createdAt: '2026-01-01T08:00:00.000Z',
  madeWith: null
}

export const ApiKey = Type.Object(fields, { $id: 'ApiKey', examples: [example] })
export type ApiKey = Static<typeof ApiKey>

export const NewApiKey = Type.Object(
  { ...fields, key: Type.String({ description: 'The key itself: shown now and never again' }) },
  { $id: 'NewApiKey', examples: [{ ...example, key: 'mr_4kQzN0c5t7W9q3fD1yV8rB2mX6pLsE0aBcDe' }] }
)
export type NewApiKey = Static<typeof NewApiKey>

export const ApiKeyCreate = Closed(
  {
    name: Name('What the key is for'),
    role: Type.Optional(RoleName),
    scopes: Type.Optional(Scopes),
    expiresAt: Type.Optional(Timestamp('When the key is to stop working'))
  },
  {
    $id: 'ApiKeyCreate',
    description:
      'Without `role` and `scopes` the key may do what its maker may do. A key that is made with a key is revoked with it, and expires no later.'
  }
)
export type ApiKeyCreate = Static<typeof ApiKeyCreate>

export const ApiKeyParams = Params('api-key', 'id', { id: Type.String({ maxLength: 64 }) })
export const ApiKeyQuery = ListQuery(['createdAt', 'name'], {
  q: Search,
  owner: Type.Optional(Type.String({ maxLength: 64, description: 'Identifier of the user whose keys to list' }))
})
export type ApiKeyQuery = Static<typeof ApiKeyQuery>
export const ApiKeyPage = Page('apiKeys', ApiKey)
