import { ListQuery, Page } from '../../../http/paging.ts'
import { Closed, Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { NODE_KINDS } from '../references.ts'
import { HOWS, LastRun, Node, NodeId, RunFields } from '../schema.ts'

const Run = Type.Object(
  {
    ...RunFields,
    how: OneOf(HOWS, 'How it is known'),
    wholeAt: Nullable(Timestamp('When it had named all that it reads and writes; null where it has not')),
    parent: Nullable(
      Type.Object(
        { job: NodeId('The job that started it'), run: Type.String({ description: 'The run of that job' }) },
        { description: 'What started it' }
      )
    )
  },
  { $id: 'LineageRun' }
)
export type Run = Static<typeof Run>

const SAYABLE = ['name', 'owners', 'description'] as const

export const NodeDetails = Type.Object(
  {
    ...Node.properties,
    columns: Type.Array(Node.properties.columns.items, { description: 'All its columns, where they are known' }),
    said: Type.Array(OneOf(SAYABLE, 'What a person wrote'), {
      description: 'What a person wrote, which counts whatever automation tells'
    }),
    firstSeenAt: Nullable(Timestamp('The first time that something read or wrote it, or that it ran')),
    lastSeenAt: Nullable(Timestamp('The last time')),
    edgesIn: Type.Integer({ minimum: 0, description: 'Edges that lead to it now' }),
    edgesOut: Type.Integer({ minimum: 0, description: 'Edges that leave it now' }),
    runs: Type.Integer({ minimum: 0, description: 'Runs of a job that were told of' }),
    lastRun: LastRun
  },
  { $id: 'LineageNodeDetails' }
)
export type NodeDetails = Static<typeof NodeDetails>

export const NodeUpdate = Closed(
  {
    name: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: 500, description: 'For people; null: what automation tells' }))
    ),
    owners: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string', minLength: 1, maxLength: 200 },
        maxItems: 100,
        uniqueItems: true,
        description: 'Who answers for it; null: what automation tells'
      })
    ),
    description: Type.Optional(
      Nullable(Type.String({ maxLength: 10_000, description: 'What it is; null: what automation tells' }))
    )
  },
  { $id: 'LineageNodeUpdate' }
)
export type NodeUpdate = Static<typeof NodeUpdate>

export const NodeQuery = ListQuery(['reference', 'name'], {
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Part of the reference or the name, in upper or lower case'
    })
  ),
  kind: Type.Optional(OneOf(NODE_KINDS, 'What it is'))
})
export type NodeQuery = Static<typeof NodeQuery>
export const NodePage = Page('nodes', Node)

export const RunQuery = ListQuery(['startedAt'], {}, '-startedAt')
export type RunQuery = Static<typeof RunQuery>
export const RunPage = Page('runs', Run)
