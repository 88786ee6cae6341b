import { Closed, Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { AsOf, ColumnEdge, ColumnName, ColumnPlace, Cursor, Node, NodeId } from '../schema.ts'

export const ColumnsQuery = Closed({
  root: NodeId('The data that have the column'),
  column: ColumnName('The column'),
  direction: Type.Optional(
    OneOf(['upstream', 'downstream', 'both'], 'Which way to go from the column; both if not said')
  ),
  depth: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Mappings from the column at most; 1000 if not said' })
  ),
  asOf: AsOf,
  influences: Type.Optional(
    Type.Boolean({ description: 'Also what decides about rows: filtered, joined, grouped, sorted; not, if not said' })
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: 'Columns of one answer, 1000 if not said' })
  ),
  cursor: Cursor
})
export type ColumnsQuery = Static<typeof ColumnsQuery>

const FoundColumn = Type.Object({
  ...ColumnPlace.properties,
  distance: Type.Integer({ minimum: 0, description: 'Mappings from the root' }),
  masked: Nullable(
    Type.Boolean({
      description: 'Whether every way to it passes a mask; null where not all ways could be looked at'
    })
  )
})

export const Columns = Type.Object(
  {
    root: ColumnPlace,
    asOf: Timestamp('The time that it is about'),
    columns: Type.Array(FoundColumn, { description: 'The nearest first' }),
    edges: Type.Array(ColumnEdge, { description: 'Between columns of this answer and those before it' }),
    nodes: Type.Array(Node, { description: 'The data and jobs that this answer names' }),
    truncated: Type.Boolean({ description: 'Whether there is more than this answer has' }),
    truncatedBy: Nullable(OneOf(['columns', 'time'], 'What made the answer end')),
    nextCursor: Nullable(
      Type.String({ description: 'Send as `cursor` to go on; null where there is no more, or no more is looked for' })
    )
  },
  { $id: 'LineageColumns' }
)
export type Columns = Static<typeof Columns>
