import { Closed, OneOf, Version } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { Everyone } from '../schema.ts'

const MAX_GRANTS = 500

const GrantPermission = OneOf(['view', 'edit'], 'What they may do with it')

export const RoleId = OneOf(['viewer', 'editor', 'admin'], 'A role, and those above it')
export const UserId = Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of a user' })

const Grant = Closed(
  { user: Type.Optional(UserId), role: Type.Optional(RoleId), permission: GrantPermission },
  { description: 'To a user or to a role' }
)

export const Access = Type.Object(
  {
    owner: Type.Object({ id: Type.String(), name: Type.String() }),
    everyone: Everyone,
    grants: Type.Array(Grant),
    version: Version
  },
  { $id: 'DashboardAccess' }
)
export type Access = Static<typeof Access>

export const AccessUpdate = Closed(
  {
    owner: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of the user to give it to' })
    ),
    everyone: Type.Optional(Everyone),
    grants: Type.Optional(
      Type.Array(Grant, {
        maxItems: MAX_GRANTS,
        uniqueItems: true,
        description: 'All of them, in place of those there are'
      })
    )
  },
  { $id: 'DashboardAccessUpdate' }
)
export type AccessUpdate = Static<typeof AccessUpdate>
