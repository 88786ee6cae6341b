import { ListQuery, Page } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Timestamp, Version } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { Content } from '../model/schema.ts'

const about = {
  version: Version,
  message: Type.String({ description: 'What whoever changed it said about it' }),
  changedBy: Type.String({ description: 'Identifier of the user' }),
  changedAt: Timestamp('When it became so')
}

const ListedVersion = Type.Object(about)

export const DashboardVersion = Type.Object({ ...about, content: Content }, { $id: 'DashboardVersion' })
export type DashboardVersion = Static<typeof DashboardVersion>

const Digits = (description: string) => Type.String({ maxLength: 16, description })

export const VersionParams = Params('dashboard', 'id', {
  id: Type.String({ maxLength: 64 }),
  version: Digits('Which version')
})
export const VersionQuery = ListQuery(['version'], {}, '-version')
export type VersionQuery = Static<typeof VersionQuery>
export const VersionPage = Page('versions', ListedVersion)

export const DifferenceQuery = Type.Object(
  {
    to: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 999_999_999, description: 'The other version; the present one if not said' })
    )
  },
  { additionalProperties: false }
)

export const Difference = Type.Object({
  from: Version,
  to: Version,
  changes: Type.Array(
    Type.Object({
      path: Type.String({
        description: 'Where; panels go by their ids and variables by their names: `/panels/oil/title`'
      }),
      kind: Type.Unsafe<'added' | 'removed' | 'changed' | 'moved'>({
        type: 'string',
        enum: ['added', 'removed', 'changed', 'moved']
      }),
      from: Type.Unknown({ description: 'What it was; for what is moved, its place in the list' }),
      to: Type.Unknown({ description: 'What it is' })
    })
  )
})
export type Difference = Static<typeof Difference>
