import { ListQuery, Page, Search } from '../../http/paging.ts'
import { Params } from '../../http/params.ts'
import { Closed, Id, Nullable, OneOf, Timestamp, Version } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'

export const RoleName = OneOf(['viewer', 'editor', 'admin'], 'Reads; reads and changes; administers')

export const User = Type.Object(
  {
    id: Id('usr', 'user'),
    subject: Type.String({ description: 'Who the identity provider says it is (`sub`)' }),
    email: Nullable(Type.String({ description: 'As the last token had it' })),
    name: Type.String({ description: 'As the last token had it; the subject where it had none' }),
    roles: Type.Array(RoleName, { description: 'As the last token had them' }),
    disabled: Type.Boolean({ description: 'A disabled user’s tokens and API keys are refused' }),
    version: Version,
    createdAt: Timestamp('When the user was first seen'),
    lastSeenAt: Timestamp('When the user was last seen, to the minute')
  },
  { $id: 'User', examples: [userExample()] }
)
export type User = Static<typeof User>

export const Me = Type.Object(
  {
    user: User,
    role: Nullable(RoleName),
    apiKeyId: Nullable(Type.String({ description: 'The API key this request was made with' })),
    clearance: Type.String({ description: 'Which levels of classified data the caller may see, in words' }),
    permissions: Type.Array(Type.String(), { description: 'Everything the caller may do with this token' })
  },
  { $id: 'Me' }
)

export const UserUpdate = Closed({ disabled: Type.Optional(Type.Boolean()) }, { $id: 'UserUpdate' })
export type UserUpdate = Static<typeof UserUpdate>

export const UserParams = Params('user', 'id', { id: Type.String({ maxLength: 64 }) })
export const UserQuery = ListQuery(['name', 'createdAt', 'lastSeenAt'], {
  q: Search,
  role: Type.Optional(RoleName),
  disabled: Type.Optional(Type.Boolean())
})
export type UserQuery = Static<typeof UserQuery>
export const UserPage = Page('users', User)

export const TokenQuestion = Closed(
  { token: Type.String({ minLength: 1, maxLength: 20_000, description: 'The token that was refused' }) },
  { $id: 'TokenQuestion' }
)
export const TokenExplanation = Type.Object(
  {
    accepted: Type.Boolean(),
    kind: OneOf(['jwt', 'api-key'], 'What the text looks like'),
    checks: Type.Array(
      Type.Object({
        name: Type.String(),
        ok: Type.Boolean(),
        message: Type.String({ description: 'What was found, or what to change' })
      })
    )
  },
  { $id: 'TokenExplanation' }
)
export type TokenExplanation = Static<typeof TokenExplanation>

function userExample() {
  return {
    id: 'usr_01kb8y2m6ze8r4n0c5t7w9q3fd',
    subject: 'ada',
    email: 'ada@example.org',
    name: 'Ada',
    roles: ['editor'],
    disabled: false,
    version: 1,
    createdAt: '2026-01-01T08:00:00.000Z',
    lastSeenAt: '2026-01-01T08:00:00.000Z'
  }
}
