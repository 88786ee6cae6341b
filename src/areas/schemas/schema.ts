import { SCHEMA_TYPES } from '../../engines/schemas/index.ts'
import { Force } from '../../http/in-use.ts'
import { ListQuery, Page, Search } from '../../http/paging.ts'
import { Params } from '../../http/params.ts'
import { Closed, Id, Nullable, OneOf, Timestamp, Version } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'

export const COMPATIBILITY_MODES = [
  'NONE',
  'BACKWARD',
  'BACKWARD_TRANSITIVE',
  'FORWARD',
  'FORWARD_TRANSITIVE',
  'FULL',
  'FULL_TRANSITIVE'
] as const
export type CompatibilityMode = (typeof COMPATIBILITY_MODES)[number]

/** Whether schemas can be registered, and as what; set through the API of Confluent's registry. */
export type RegistryMode = 'READWRITE' | 'READONLY' | 'READONLY_OVERRIDE' | 'IMPORT' | 'FORWARD'

export const VERSION_STATES = ['draft', 'enabled', 'deprecated', 'disabled'] as const
export type VersionState = (typeof VERSION_STATES)[number]

export const MAX_NAME_CHARS = 255
const MAX_REFERENCES = 100
const MAX_TAGS = 50

const SchemaName = Type.String({
  minLength: 1,
  maxLength: MAX_NAME_CHARS,
  pattern: '^[^\\u0000-\\u001f\\u007f]+$',
  description: 'Of the schema; what Kafka clients know as the subject'
})
export const TypeOfSchema = OneOf(SCHEMA_TYPES, 'The language it is written in')
export const Compatibility = OneOf(
  COMPATIBILITY_MODES,
  'What a new version has to be able to do with the data of older ones, or they with its data; transitive: of all of them, not only of the last'
)
const State = OneOf(
  VERSION_STATES,
  '`draft`: not in force, and not checked; `enabled`; `deprecated`: in force, but not to be used any more; `disabled`: not handed out'
)
const Description = Type.String({ maxLength: 1000 })
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: MAX_TAGS, uniqueItems: true })
/** Checked by `metadataText`: a JSON Schema can't limit the size of an object with any fields. */
const Metadata = Type.Unsafe<Record<string, unknown>>({
  description: 'An object of whatever is worth knowing about the version, such as an owner or a ticket; 16 KiB at most'
})

/** Checked by `Candidates`, which parse it. */
export const SchemaText = Type.Unsafe<unknown>({
  description: 'The schema as text; one that is JSON may also stand here as it is'
})

export const Reference = Closed(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'What the schema calls it: a full name (Avro), the address in `$ref` (JSON Schema), an import (Protobuf)'
    }),
    schemaId: Id('sch', 'schema it refers to'),
    version: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Which version of it' })
  },
  { $id: 'SchemaReference' }
)
export type Reference = Static<typeof Reference>
export const References = Type.Array(Reference, { maxItems: MAX_REFERENCES, uniqueItems: true })

export const SchemaVersion = Type.Object(
  {
    schemaId: Id('sch', 'schema'),
    version: Type.Integer({
      minimum: 1,
      description: 'Counts the versions of the schema; a number is never given twice'
    }),
    contentId: Type.Integer({
      minimum: 1,
      description: 'Of the text, the same wherever it is; what Kafka messages carry'
    }),
    type: TypeOfSchema,
    schema: Type.String({ description: 'The text' }),
    fingerprint: Type.String({ description: 'SHA-256; the same for the same schema however it is written' }),
    references: References,
    state: State,
    metadata: Metadata,
    revision: Type.Integer({ minimum: 1, description: 'Counts the changes of state and metadata; part of the `ETag`' }),
    createdBy: Id('usr', 'user who added it'),
    createdAt: Timestamp('When it was added'),
    deletedAt: Nullable(Timestamp('When it was deleted; null while it is there'))
  },
  {
    $id: 'SchemaVersion',
    examples: [
      {
        schemaId: 'sch_01kb8y2m6ze8r4n0c5t7w9q3fd',
        version: 1,
        contentId: 1,
        type: 'avro',
        schema: '{"type":"record","name":"Order","fields":[{"name":"id","type":"long"}]}',
        fingerprint: '4a47f3e0a9d2ef1a9a0a1b1c8f4d9e62c86e2b7d5a7a41c0b4d1b0c8a3c9d5e1',
        references: [],
        state: 'enabled',
        metadata: {},
        revision: 1,
        createdBy: 'usr_01kb8y2m6ze8r4n0c5t7w9q3fd',
        createdAt: '2026-01-01T08:00:00.000Z',
        deletedAt: null
      }
    ]
  }
)
export type SchemaVersion = Static<typeof SchemaVersion>

const facts = {
  id: Id('sch', 'schema'),
  name: SchemaName,
  type: TypeOfSchema,
  compatibility: Compatibility,
  description: Description,
  tags: Tags,
  latestVersion: Nullable(Type.Integer({ description: 'The newest version in force; null where there is none' })),
  versionCount: Type.Integer({ minimum: 0, description: 'Versions there are, deleted ones not counted' }),
  version: Version,
  createdBy: Id('usr', 'user who made it'),
  createdAt: Timestamp('When it was made'),
  updatedAt: Timestamp('When it, or one of its versions, was last changed'),
  deletedAt: Nullable(Timestamp('When it was deleted; null while it is there'))
}

const example = {
  id: 'sch_01kb8y2m6ze8r4n0c5t7w9q3fd',
  name: 'orders-value',
  type: 'avro',
  compatibility: 'BACKWARD',
  description: 'Orders as the shop sends them.',
  tags: ['sales'],
  latestVersion: 1,
  versionCount: 1,
  version: 1,
  createdBy: 'usr_01kb8y2m6ze8r4n0c5t7w9q3fd',
  createdAt: '2026-01-01T08:00:00.000Z',
  updatedAt: '2026-01-01T08:00:00.000Z',
  deletedAt: null
}

export const SchemaSummary = Type.Object(facts, { $id: 'SchemaSummary', examples: [example] })
export type SchemaSummary = Static<typeof SchemaSummary>

export const Schema = Type.Object(
  {
    ...facts,
    versions: Type.Array(SchemaVersion, {
      description: 'The newest ones, oldest first, as many as fit an answer; all of them: `GET /schemas/{id}/versions`'
    })
  },
  { $id: 'Schema', examples: [{ ...example, versions: [] }] }
)
export type Schema = Static<typeof Schema>

const versionBody = {
  schema: SchemaText,
  references: Type.Optional(References),
  metadata: Type.Optional(Metadata)
}

export const SchemaCreate = Closed(
  {
    name: SchemaName,
    type: TypeOfSchema,
    ...versionBody,
    compatibility: Type.Optional(Compatibility),
    description: Type.Optional(Description),
    tags: Type.Optional(Tags)
  },
  { $id: 'SchemaCreate' }
)
export type SchemaCreate = Static<typeof SchemaCreate>

export const SchemaUpdate = Closed(
  {
    compatibility: Type.Optional(
      Type.Unsafe<CompatibilityMode | null>({ type: ['string', 'null'], enum: [...COMPATIBILITY_MODES, null] })
    ),
    description: Type.Optional(Description),
    tags: Type.Optional(Tags)
  },
  { $id: 'SchemaUpdate', description: 'A compatibility of null: whatever is set for the registry as a whole' }
)
export type SchemaUpdate = Static<typeof SchemaUpdate>

export const VersionCreate = Closed(
  {
    ...versionBody,
    state: Type.Optional(
      OneOf(['draft', 'enabled'] as const, 'A draft is checked only when it is enabled; `enabled` if not said')
    )
  },
  { $id: 'SchemaVersionCreate' }
)
export type VersionCreate = Static<typeof VersionCreate>

export const VersionUpdate = Closed(
  { state: Type.Optional(State), metadata: Type.Optional(Metadata) },
  { $id: 'SchemaVersionUpdate' }
)
export type VersionUpdate = Static<typeof VersionUpdate>

export const VersionUpdateQuery = Type.Object(
  { force: Force('Whether to disable it although pipelines name it; they fail at their next start') },
  { additionalProperties: false }
)

const Deleted = Type.Optional(
  Type.Boolean({ description: 'Whether deleted ones, which can still be restored, are listed too' })
)

export const SchemaQuery = ListQuery(['name', 'createdAt', 'updatedAt'], {
  q: Search,
  type: Type.Optional(TypeOfSchema),
  deleted: Deleted
})
export type SchemaQuery = Static<typeof SchemaQuery>
export const SchemaPage = Page('schemas', SchemaSummary)

export const VersionQuery = ListQuery(['version'], { state: Type.Optional(State), deleted: Deleted })
export type VersionQuery = Static<typeof VersionQuery>
export const VersionPage = Page('versions', SchemaVersion)

export const ById = Params('schema', 'id', { id: Type.String({ maxLength: 64 }) })

const VersionNumber = (description: string) =>
  Type.String({ maxLength: 10, pattern: '^([1-9]\\d{0,9}|latest)$', description })
export const ByVersion = Params('schema', 'id', {
  id: Type.String({ maxLength: 64 }),
  version: VersionNumber('Its number, or `latest`')
})
export const ByTwoVersions = Params('schema', 'id', {
  id: Type.String({ maxLength: 64 }),
  v1: VersionNumber('The number of the version to compare from, or `latest`'),
  v2: VersionNumber('The number of the version to compare with, or `latest`')
})

export const DeleteQuery = Type.Object(
  {
    permanent: Type.Optional(
      Type.Boolean({ description: 'For good, so that it can’t be restored; only for what has been deleted before' })
    ),
    force: Force(
      'Whether to delete it although pipelines name it; they fail at their next start. What other schemas refer to stays in any case'
    )
  },
  { additionalProperties: false }
)
