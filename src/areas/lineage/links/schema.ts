import { ListQuery, Page } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Closed, Id, Nullable, Timestamp, Version } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { MappingKindOut, NodeId } from '../schema.ts'

const MAX_COLUMNS = 5000
const MAX_COLUMN_CHARS = 1000

const ColumnName = (description: string) =>
  Nullable(Type.String({ minLength: 1, maxLength: MAX_COLUMN_CHARS, description }))

const fields = {
  note: Type.String({ maxLength: 2000, description: 'Why it is there' }),
  columns: Type.Array(
    Closed({
      from: ColumnName('Column of `from`; null is all of it'),
      to: ColumnName('Column of `to`; null only where `from` decides which rows there are'),
      kind: MappingKindOut
    }),
    { uniqueItems: true, maxItems: MAX_COLUMNS, description: 'What becomes of which column; between data only' }
  )
}

export const LinkCreate = Closed(
  {
    from: NodeId('Where data comes from: a reference of data, or of a job that writes'),
    to: NodeId('Where it goes: a reference of data, or of a job that reads'),
    note: Type.Optional(fields.note),
    columns: Type.Optional(fields.columns)
  },
  { $id: 'LineageLinkCreate' }
)
export type LinkCreate = Static<typeof LinkCreate>

export const LinkUpdate = Closed(
  { note: Type.Optional(fields.note), columns: Type.Optional(fields.columns) },
  { $id: 'LineageLinkUpdate' }
)
export type LinkUpdate = Static<typeof LinkUpdate>

export const Link = Type.Object(
  {
    id: Id('lnk', 'link'),
    from: NodeId('Where data comes from'),
    to: NodeId('Where it goes'),
    ...fields,
    createdBy: Id('usr', 'user who drew it'),
    version: Version,
    createdAt: Timestamp('When it was drawn; it holds from then on'),
    updatedAt: Timestamp('When it was last changed'),
    endedAt: Nullable(Timestamp('When it was deleted; graphs of times before that have it'))
  },
  {
    $id: 'LineageLink',
    examples: [
      {
        id: 'lnk_01kb8y2m6ze8r4n0c5t7w9q3fd',
        from: 'dataset://postgres%3A%2F%2Ferp/public.orders',
        to: 'object://lake/orders.parquet',
        note: 'copied by hand each quarter',
        columns: [{ from: 'id', to: 'order_id', kind: 'identity' }],
        createdBy: 'usr_01kb8y2m6ze8r4n0c5t7w9q3fd',
        version: 1,
        createdAt: '2026-03-09T14:20:31.250Z',
        updatedAt: '2026-03-09T14:20:31.250Z',
        endedAt: null
      }
    ]
  }
)
export type Link = Static<typeof Link>

export const LinkParams = Params('lineage-link', 'id', { id: Type.String({ maxLength: 64 }) })
export const LinkQuery = ListQuery(['createdAt'], {
  from: Type.Optional(NodeId('Those that begin there')),
  to: Type.Optional(NodeId('Those that end there')),
  ended: Type.Optional(Type.Boolean({ description: 'Those that were deleted; without it those that hold' }))
})
export type LinkQuery = Static<typeof LinkQuery>
export const LinkPage = Page('links', Link)
