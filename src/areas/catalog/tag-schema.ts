import { TAG_TYPES } from '../../engines/series/index.ts'
import { Search } from '../../http/paging.ts'
import { Params } from '../../http/params.ts'
import { Closed, Id, Nullable, OneOf, Timestamp, Version } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'

/** The longest name has 1,024 bytes in UTF-8. */
export const MAX_TAG_CHARS = 1024

const Unit = Type.String({ maxLength: 50, description: 'What its values are measured in, such as `°C`' })
const Description = Type.String({ maxLength: 2000 })

export const Tag = Type.Object(
  {
    name: Type.String(),
    type: OneOf(
      TAG_TYPES,
      'Of its values, as its first point had it; points of another type are refused until the tag is deleted'
    ),
    unit: Nullable(Unit),
    description: Description,
    labels: Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'What line protocol calls tags'
    }),
    firstSeenAt: Timestamp('Time of the oldest point'),
    lastSeenAt: Timestamp('Time of the newest point'),
    lastValue: Type.Unsafe<number | boolean | string | null>({
      type: ['number', 'boolean', 'string', 'null'],
      description:
        'Of the newest point; whole numbers beyond 2^53 are the text of their digits, and null stands for what is classified above the caller’s clearance'
    }),
    pointCount: Type.Integer({
      minimum: 0,
      description: 'A point that replaced another may be counted until the two are merged'
    }),
    version: Version
  },
  {
    $id: 'Tag',
    examples: [
      {
        name: 'press.temperature{line=2}',
        type: 'float',
        unit: '°C',
        description: 'Oil, measured at the pump',
        labels: { line: '2' },
        firstSeenAt: '2026-01-01T08:00:00.000Z',
        lastSeenAt: '2026-03-09T14:20:31.250Z',
        lastValue: 61.4,
        pointCount: 5821440,
        version: 2
      }
    ]
  }
)
export type Tag = Static<typeof Tag>

export const TagUpdate = Closed(
  { unit: Type.Optional(Nullable(Unit)), description: Type.Optional(Description) },
  { $id: 'TagUpdate', description: 'What people say of a tag; the rest follows from its points.' }
)
export type TagUpdate = Static<typeof TagUpdate>

export const TagParams = Params('catalog-source', 'id', {
  id: Type.String({ maxLength: 64 }),
  name: Type.String({ minLength: 1, maxLength: MAX_TAG_CHARS, description: 'Name of the tag, percent-encoded' })
})

export const TagQuery = Type.Object(
  {
    q: Search,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Items on a page, 100 if not said' })),
    cursor: Type.Optional(Type.String({ maxLength: 10_000, description: 'The `nextCursor` of the page before' }))
  },
  { additionalProperties: false }
)
export type TagQuery = Static<typeof TagQuery>

export const TagPage = Type.Object({
  sourceId: Id('src', 'source'),
  tags: Type.Array(Tag, { description: 'In the order of their names’ bytes' }),
  total: Type.Integer({ minimum: 0, description: 'How many there are on all pages' }),
  nextCursor: Nullable(Type.String({ description: 'Send as `cursor` for the next page; null on the last' }))
})
