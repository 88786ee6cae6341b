import { Closed, Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { AsOf, ColumnName, Cursor, FoundNode, NodeId } from '../schema.ts'

export const ImpactQuery = Closed({
  column: Type.Optional(
    ColumnName(
      'What depends on this column; of jobs of which no columns are known, everything may. All columns, if not said'
    )
  ),
  depth: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Edges from the root at most; 1000 if not said' })
  ),
  asOf: AsOf,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Nodes of one answer, 100 if not said' })
  ),
  cursor: Cursor
})
export type ImpactQuery = Static<typeof ImpactQuery>

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const Classification = Nullable(
  Type.Object(
    {
      level: Nullable(Type.String({ description: 'Of all of it; null where it has none' })),
      columns: Type.Array(Type.Object({ column: Type.String(), level: Type.String() }), {
        description: 'Of its columns, those that have one; the first 100'
      })
    },
    { description: 'How secret it is; null where you may not see classifications' }
  )
)

const Alerts = Nullable(
  Type.Object(
    {
      open: Count('Alerts that are open: of a rule, of rules that read these data, or about a pipeline'),
      ids: Type.Array(Type.String(), { description: 'Identifiers of the first 10' })
    },
    { description: 'What is wrong with it already; null where you may not see alerts' }
  )
)

const Quality = Nullable(
  Type.Object(
    {
      score: Nullable(Type.Number({ description: 'From 0 to 100; null where no rule could be evaluated' })),
      failed: Count('Quality rules that the data do not keep'),
      rules: Count('Quality rules about the data that are enabled')
    },
    { description: 'How good the data are; null where they have no rule, or you may not see quality' }
  )
)

const ImpactedNode = Type.Object({
  ...FoundNode.properties,
  classification: Classification,
  alerts: Alerts,
  quality: Quality
})
export type ImpactedNode = Static<typeof ImpactedNode>

export const Impact = Type.Object(
  {
    root: NodeId('What would stop'),
    column: Nullable(Type.String({ description: 'The column of it; null for everything' })),
    asOf: Timestamp('The time that it is about'),
    quality: Quality,
    total: Count('Nodes that depend on it, as far as was looked'),
    byDistance: Type.Array(
      Type.Object({
        distance: Type.Integer({ minimum: 1, description: 'Edges from the root' }),
        nodes: Count('How many are so far'),
        byKind: Type.Unsafe<Readonly<Record<string, number>>>({
          type: 'object',
          additionalProperties: { type: 'integer' },
          description: 'How many of each kind'
        })
      }),
      { description: 'How many there are, the nearest first' }
    ),
    nodes: Type.Array(ImpactedNode, { description: 'Data and jobs that depend on it, the nearest first' }),
    truncated: Type.Boolean({
      description: 'Whether the search was given up, so that there may be more than was counted'
    }),
    truncatedBy: Nullable(
      OneOf(
        ['nodes', 'time', 'depth'],
        'What made the search end: 200,000 nodes, 5 seconds, or 1000 edges from the root where no `depth` was asked for'
      )
    ),
    nextCursor: Nullable(Type.String({ description: 'Send as `cursor` for more nodes; null where there are no more' }))
  },
  { $id: 'LineageImpact' }
)
export type Impact = Static<typeof Impact>
