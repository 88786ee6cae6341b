import { Force } from '../../http/in-use.ts'
import { ListQuery, Page, Search } from '../../http/paging.ts'
import { Params } from '../../http/params.ts'
import { Closed, Id, Name, Nullable, OneOf, Timestamp, Version } from '../../http/schemas.ts'
import { DURATION_FORM, MAX_DURATION_CHARS } from '../../http/times.ts'
import { type Static, Type } from '../../http/type.ts'

const SOURCE_KINDS = ['agent', 'pipeline', 'connector', 'api'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

const Kind = OneOf(SOURCE_KINDS, 'What the points come from')
const SourceName = Name('What people call it; also the bucket or database that line protocol names')
const Description = Type.String({ maxLength: 2000 })
const Retention = Type.String({
  minLength: 1,
  maxLength: MAX_DURATION_CHARS,
  description: `How long points are kept, ${DURATION_FORM}; null: for ever`
})
const LevelName = Type.String({ maxLength: 50, description: 'Name of a classification level' })

export const Source = Type.Object(
  {
    id: Id('src', 'source'),
    name: SourceName,
    kind: Kind,
    description: Description,
    tagCount: Type.Integer({ minimum: 0, description: 'Tags that have points' }),
    pointCount: Type.Integer({
      minimum: 0,
      description: 'Points of all tags; one that replaced another may be counted until the two are merged'
    }),
    firstSeenAt: Nullable(Timestamp('Time of the oldest point; null without points')),
    lastSeenAt: Nullable(Timestamp('Time of the newest point; null without points')),
    retention: Nullable(Retention),
    classification: Nullable(LevelName),
    version: Version,
    createdAt: Timestamp('When it was made'),
    updatedAt: Timestamp('When it was last changed; writing points is no change')
  },
  {
    $id: 'Source',
    examples: [
      {
        id: 'src_01kb8y2m6ze8r4n0c5t7w9q3fd',
        name: 'press line 2',
        kind: 'agent',
        description: 'Controllers of the second press line',
        tagCount: 340,
        pointCount: 128456201,
        firstSeenAt: '2026-01-01T08:00:00.000Z',
        lastSeenAt: '2026-03-09T14:20:31.250Z',
        retention: '2y',
        classification: 'internal',
        version: 3,
        createdAt: '2026-01-01T07:58:12.104Z',
        updatedAt: '2026-02-01T10:00:00.000Z'
      }
    ]
  }
)
export type Source = Static<typeof Source>

export const SourceCreate = Closed(
  {
    name: SourceName,
    kind: Type.Optional(Kind),
    description: Type.Optional(Description),
    retention: Type.Optional(Nullable(Retention)),
    classification: Type.Optional(LevelName)
  },
  { $id: 'SourceCreate', description: 'Without `kind` it is `api`.' }
)
export type SourceCreate = Static<typeof SourceCreate>

export const SourceUpdate = Closed(
  {
    name: Type.Optional(SourceName),
    kind: Type.Optional(Kind),
    description: Type.Optional(Description),
    retention: Type.Optional(Nullable(Retention)),
    classification: Type.Optional(Nullable(LevelName))
  },
  { $id: 'SourceUpdate' }
)
export type SourceUpdate = Static<typeof SourceUpdate>

export const SourceDeletion = Type.Object({ force: Force() }, { additionalProperties: false })
export const SourceParams = Params('catalog-source', 'id', { id: Type.String({ maxLength: 64 }) })
export const SourceQuery = ListQuery(['name', 'createdAt'], { q: Search, kind: Type.Optional(Kind) })
export type SourceQuery = Static<typeof SourceQuery>
export const SourcePage = Page('sources', Source)
