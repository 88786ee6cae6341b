import { ListQuery, Page } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Closed, Name, Timestamp, Version } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { Node } from '../definition/schema.ts'

const about = {
  version: Version,
  createdBy: Type.String({ description: 'Identifier of the user who made it' }),
  createdAt: Timestamp('When it was made')
}

const ListedVersion = Type.Object({ ...about, nodes: Type.Integer({ description: 'How many nodes it has' }) })
export type ListedVersion = Static<typeof ListedVersion>

export const PipelineVersion = Type.Object({ ...about, nodes: Type.Array(Node) }, { $id: 'PipelineVersion' })
export type PipelineVersion = Static<typeof PipelineVersion>

export const VersionParams = Params('pipeline', 'id', {
  id: Type.String({ maxLength: 64 }),
  version: Type.String({ maxLength: 16, description: 'Which version' })
})
export const VersionQuery = ListQuery(['version'], {}, '-version')
export type VersionQuery = Static<typeof VersionQuery>
export const VersionPage = Page('versions', ListedVersion)

export const DuplicateBody = Closed({ name: Name('The name of the copy') }, { $id: 'PipelineDuplicate' })
