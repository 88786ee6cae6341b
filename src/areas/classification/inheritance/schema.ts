import { MAX_REFERENCE_CHARS } from '../../../data/reference.ts'
import { ListQuery, Page } from '../../../http/paging.ts'
import { Closed, Id, Nullable, OneOf } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { LevelName, ResourceTag } from '../schema.ts'

const KINDS = ['given', 'identity', 'computed', 'unmapped', 'same', 'renamed', 'overlaps'] as const

const Resource = Type.String({ description: 'A data reference' })
const Column = Nullable(Type.String({ description: 'A column; null for all of the data' }))
const Label = Id('cls', 'classification that it comes from')

const PathStep = Type.Object(
  {
    resource: Resource,
    column: Column,
    kind: OneOf(
      KINDS,
      'How the level came there: `given` where somebody gave it, by values as they are (`identity`) or made from others (`computed`), by a job or link of which no columns are known (`unmapped`), or because the names are of the same data (`same`, `renamed`, `overlaps`)'
    ),
    job: Nullable(Type.String({ description: 'The job that brought it there; null where none did' }))
  },
  { $id: 'ClassificationPathStep' }
)
const PathSteps = Type.Array(PathStep, { description: 'The way of the level, from where it was given to here' })

export const Inherited = Type.Object(
  {
    resource: Resource,
    column: Column,
    level: LevelName,
    label: Label,
    from: Type.Object({ resource: Resource, column: Column }, { description: 'What the level was given to' }),
    path: PathSteps
  },
  {
    $id: 'InheritedClassification',
    examples: [
      {
        resource: 'object://sales/mail/*',
        column: 'recipient',
        level: 'confidential',
        label: 'cls_01kb8y2m6ze8r4n0c5t7w9q3fd',
        from: { resource: 'object://sales/customers.parquet', column: 'email' },
        path: [
          { resource: 'object://sales/customers.parquet', column: 'email', kind: 'given', job: null },
          {
            resource: 'object://sales/mail/*',
            column: 'recipient',
            kind: 'identity',
            job: 'job://pipeline/pl_01kb8y2m6ze8r4n0c5t7w9q3fd'
          }
        ]
      }
    ]
  }
)
export type Inherited = Static<typeof Inherited>

const exactly = (description: string) => Type.Optional(Type.String({ maxLength: MAX_REFERENCE_CHARS, description }))

export const InheritedQuery = ListQuery(['resource'], {
  resource: exactly('Exactly this resource'),
  level: Type.Optional(LevelName),
  from: exactly('Only what comes from labels of exactly this resource')
})
export type InheritedQuery = Static<typeof InheritedQuery>
export const InheritedPage = Page('inherited', Inherited)

const Source = OneOf(['given', 'inherited'], 'Whether somebody gave it, or it came with the data')

export const EffectiveQuery = Closed({
  resource: Type.String({ minLength: 1, maxLength: MAX_REFERENCE_CHARS, description: 'A data reference' })
})
export type EffectiveQuery = Static<typeof EffectiveQuery>

export const Effective = Type.Object(
  {
    resource: Resource,
    level: Nullable(Type.String({ description: 'Of all of it; null where it has none' })),
    source: Nullable(Source),
    path: PathSteps,
    columns: Type.Array(Type.Object({ column: Type.String(), level: LevelName, source: Source, path: PathSteps }), {
      description:
        'Columns with a level of their own, by name. Of what they were given, what they inherit and what all of the data has, the strictest'
    }),
    upToDate: Type.Boolean({
      description: 'Whether all changes of labels and lineage have been followed; false for a moment after each'
    })
  },
  { $id: 'EffectiveClassification' }
)
export type Effective = Static<typeof Effective>

export const PreviewOrder = Closed(
  {
    resource: ResourceTag.properties.resource,
    level: Nullable(LevelName),
    columns: ResourceTag.properties.columns
  },
  { $id: 'ClassificationPreviewOrder' }
)
export type PreviewOrder = Static<typeof PreviewOrder>

export const Preview = Type.Object(
  {
    changes: Type.Array(
      Type.Object({
        resource: Resource,
        column: Column,
        before: Nullable(Type.String({ description: 'The level that it inherits now' })),
        after: Nullable(Type.String({ description: 'The level that it would inherit' })),
        path: PathSteps
      }),
      {
        description:
          'What would inherit another level than now, by its reference; the way is the new one, or that of what would be gone'
      }
    ),
    truncated: Type.Boolean({
      description: 'Whether the search was given up, after 2,000 nodes or 3 seconds, or there are over 1,000 changes'
    })
  },
  { $id: 'ClassificationPreview' }
)
export type Preview = Static<typeof Preview>
