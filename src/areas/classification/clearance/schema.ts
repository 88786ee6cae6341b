import { Params } from '../../../http/params.ts'
import { Closed, Nullable, OneOf, Timestamp, Version } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { LevelName } from '../schema.ts'

export const ROLES = ['viewer', 'editor', 'admin'] as const

const ClearanceLevel = Nullable({
  ...LevelName,
  description: 'The strictest level that the role may see; null: whatever level data have'
})

export const Clearance = Type.Object(
  {
    role: OneOf(ROLES, 'The role'),
    level: ClearanceLevel,
    seesNothingClassified: Type.Boolean({
      description: 'Whether the role has no clearance at all: it sees only what has no level'
    }),
    version: Version,
    updatedAt: Timestamp('When it was last changed')
  },
  {
    $id: 'Clearance',
    examples: [
      {
        role: 'viewer',
        level: 'internal',
        seesNothingClassified: false,
        version: 1,
        updatedAt: '2026-01-01T08:00:00.000Z'
      }
    ]
  }
)
export type Clearance = Static<typeof Clearance>

export const ClearanceList = Type.Object({
  clearances: Type.Array(Clearance, { description: 'One for each role' })
})

export const ClearanceUpdate = Closed({ level: ClearanceLevel }, { $id: 'ClearanceUpdate' })
export type ClearanceUpdate = Static<typeof ClearanceUpdate>

export const ClearanceParams = Params('classification-clearance', 'role', {
  role: Type.String({ maxLength: 20, description: '`viewer`, `editor` or `admin`' })
})
