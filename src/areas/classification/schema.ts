import { MAX_REFERENCE_CHARS } from '../../data/reference.ts'
import { ListQuery, Page, Search } from '../../http/paging.ts'
import { Params } from '../../http/params.ts'
import { Closed, Id, OneOf, Timestamp, Version } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'

export const LevelName = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[a-z][a-z0-9-]*$',
  description: 'Lower-case letters, digits and hyphens'
})
const Rank = Type.Integer({
  minimum: 0,
  maximum: 1000,
  description: 'The higher, the stricter; no two levels share one'
})
const Description = Type.String({ maxLength: 1000 })
const WithoutClearance = OneOf(
  ['mask', 'refuse'],
  'What those get whose role has less clearance: rows with masks in place of values, or nothing'
)

export const Level = Type.Object(
  {
    id: Id('lvl', 'level'),
    name: LevelName,
    rank: Rank,
    description: Description,
    withoutClearance: WithoutClearance,
    version: Version,
    createdAt: Timestamp('When the level was made'),
    updatedAt: Timestamp('When it was last changed')
  },
  {
    $id: 'ClassificationLevel',
    examples: [
      {
        id: 'lvl_internal',
        name: 'internal',
        rank: 20,
        description: 'For everyone in the organisation.',
        withoutClearance: 'mask',
        version: 1,
        createdAt: '2026-01-01T08:00:00.000Z',
        updatedAt: '2026-01-01T08:00:00.000Z'
      }
    ]
  }
)
export type Level = Static<typeof Level>

export const LevelCreate = Closed(
  {
    name: LevelName,
    rank: Rank,
    description: Type.Optional(Description),
    withoutClearance: Type.Optional(
      OneOf(['mask', 'refuse'], 'What those get whose role has less clearance; `refuse` if not said')
    )
  },
  { $id: 'ClassificationLevelCreate' }
)
export type LevelCreate = Static<typeof LevelCreate>

export const LevelUpdate = Closed(
  {
    rank: Type.Optional(Rank),
    description: Type.Optional(Description),
    withoutClearance: Type.Optional(WithoutClearance)
  },
  { $id: 'ClassificationLevelUpdate' }
)
export type LevelUpdate = Static<typeof LevelUpdate>

export const LevelQuery = ListQuery(['rank', 'name'], { q: Search })
export type LevelQuery = Static<typeof LevelQuery>
export const LevelPage = Page('levels', Level)

const Columns = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 1000,
  uniqueItems: true,
  description: 'Columns that the level is for; none: the whole resource'
})
export const Reference = Type.String({
  minLength: 1,
  maxLength: MAX_REFERENCE_CHARS,
  description:
    'A data reference such as `object://bucket/key` or `series://source/tag`, or data outside the platform that the lineage knows of: `dataset://<namespace, percent-encoded>/<name>`'
})

export const Resource = Type.Object(
  {
    id: Id('cls', 'classification'),
    resource: Type.String({ description: 'A data reference, or `<type>:<id>`' }),
    level: LevelName,
    columns: Columns,
    reason: Type.String(),
    version: Version,
    createdBy: Id('usr', 'user who classified it'),
    createdAt: Timestamp('When it was classified'),
    updatedAt: Timestamp('When that was last changed')
  },
  {
    $id: 'ClassifiedResource',
    examples: [
      {
        id: 'cls_01kb8y2m6ze8r4n0c5t7w9q3fd',
        resource: 'object://sales/customers.parquet',
        level: 'confidential',
        columns: ['email'],
        reason: 'Personal data',
        version: 1,
        createdBy: 'usr_01kb8y2m6ze8r4n0c5t7w9q3fd',
        createdAt: '2026-01-01T08:00:00.000Z',
        updatedAt: '2026-01-01T08:00:00.000Z'
      }
    ]
  }
)
export type Resource = Static<typeof Resource>

const LabelWarning = Type.Object(
  {
    code: Type.String({ description: 'Stable: `no_such_column`, `nothing_matches`' }),
    message: Type.String()
  },
  {
    $id: 'ClassificationWarning',
    examples: [
      {
        code: 'no_such_column',
        message:
          'object://sales/customers.parquet has no column emial now; the level counts once it has, so look whether the name is meant'
      }
    ]
  }
)
export type LabelWarning = Static<typeof LabelWarning>

/** As it is answered to whoever gives a level. */
export const LabelledResource = Type.Object(
  {
    ...Resource.properties,
    warnings: Type.Array(LabelWarning, {
      description: 'What is hardly meant, such as columns that the data do not have'
    })
  },
  { $id: 'LabelledResource' }
)
export type LabelledResource = Static<typeof LabelledResource>

export const ResourceTag = Closed(
  {
    resource: Type.Union([
      Reference,
      Closed({
        type: Type.String({
          maxLength: 50,
          pattern: '^[a-z][a-z-]*$',
          description: 'Singular noun, such as `dashboard`'
        }),
        id: Type.String({ minLength: 1, maxLength: 200 })
      })
    ]),
    level: LevelName,
    columns: Type.Optional(Columns),
    reason: Type.Optional(Type.String({ maxLength: 1000 }))
  },
  { $id: 'ResourceTag' }
)
export type ResourceTag = Static<typeof ResourceTag>

export const ResourceQuery = ListQuery(['createdAt', 'resource'], {
  q: Search,
  resource: Type.Optional(Type.String({ maxLength: MAX_REFERENCE_CHARS, description: 'Exactly this resource' })),
  level: Type.Optional(LevelName)
})
export type ResourceQuery = Static<typeof ResourceQuery>
export const ResourcePage = Page('resources', Resource)

const id = Type.String({ maxLength: 64 })
export const LevelParams = Params('classification-level', 'id', { id })
export const ResourceParams = Params('classification', 'id', { id })
