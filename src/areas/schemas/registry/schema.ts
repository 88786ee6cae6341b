import { Params } from '../../../http/params.ts'
import { type Static, Type } from '../../../http/type.ts'

/**
 * Bodies and parameters of Confluent's registry. It ignores fields and parameters it does not know, so these do too.
 */

const MAX_INT = 2 ** 31 - 1
/** Longer than any body, so that a text that is too long is refused with the registry's own `error_code`. */
const MAX_TEXT = 2 ** 26

const Text = (maxLength: number, description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, description })
const Whole = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: -MAX_INT, maximum: MAX_INT, description })

const RegistryReference = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 1000, description: 'What the schema calls it' }),
    subject: Type.String({ minLength: 1, maxLength: 4096, description: 'The subject it is registered under' }),
    version: Type.Integer({ minimum: -1, maximum: MAX_INT, description: 'Which version of it; -1 for the latest' })
  },
  { $id: 'RegistryReference' }
)
export type RegistryReference = Static<typeof RegistryReference>

const References = Type.Array(RegistryReference)
const Metadata = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  maxProperties: 100,
  additionalProperties: true,
  description: '`tags`, `properties` and `sensitive`; kept with a new version'
})

export const SchemaRequest = Type.Object(
  {
    schema: Type.Optional(Text(MAX_TEXT, 'The text of the schema')),
    schemaType: Type.Optional(Text(100, '`AVRO` if not said, `JSON` or `PROTOBUF`')),
    references: Type.Optional(
      Type.Unsafe<RegistryReference[] | null>({ type: ['array', 'null'], maxItems: 100, items: RegistryReference })
    ),
    metadata: Type.Optional(Metadata),
    id: Type.Optional(Whole('The id it is to have; in the mode `IMPORT` only')),
    version: Type.Optional(Whole('The version it is to be; in the mode `IMPORT` only'))
  },
  { $id: 'RegistrySchemaRequest', description: 'Other fields, `ruleSet` among them, are not looked at' }
)
export type SchemaRequest = Static<typeof SchemaRequest>

const facts = {
  schemaType: Type.Optional(Type.String({ description: '`JSON` or `PROTOBUF`; not there for Avro' })),
  references: Type.Optional(References),
  metadata: Type.Optional(Metadata),
  schema: Type.String({ description: 'The text of the schema' })
}

export const RegistrySchema = Type.Object(
  {
    subject: Type.String(),
    version: Type.Integer(),
    id: Type.Integer({ description: 'Of the text, the same under every subject; what messages carry' }),
    guid: Type.Optional(Type.String({ description: 'Where `Confluent-Accept-Unknown-Properties` is `true`' })),
    ...facts
  },
  {
    $id: 'RegistrySchema',
    examples: [{ subject: 'orders-value', version: 1, id: 1, schema: '{"type":"record","name":"Order","fields":[]}' }]
  }
)
export type RegistrySchema = Static<typeof RegistrySchema>
export const RegistrySchemas = Type.Array(RegistrySchema)

export const RegistryContent = Type.Object(
  { ...facts, maxId: Type.Optional(Type.Integer({ description: 'The highest id there is' })) },
  { $id: 'RegistryContent', examples: [{ schema: '{"type":"record","name":"Order","fields":[]}' }] }
)
export type RegistryContent = Static<typeof RegistryContent>

export const Registered = Type.Object(
  {
    id: Type.Integer({ description: 'Of the text, the same under every subject; what messages carry' }),
    version: Type.Optional(Type.Integer({ description: 'Where `Confluent-Accept-Unknown-Properties` is `true`' })),
    guid: Type.Optional(Type.String()),
    ...facts,
    schema: Type.Optional(facts.schema)
  },
  { $id: 'RegistryRegistered', examples: [{ id: 1 }] }
)
export type Registered = Static<typeof Registered>

export const Names = Type.Array(Type.String())
export const Numbers = Type.Array(Type.Integer())
export const SubjectVersions = Type.Array(
  Type.Object({ subject: Type.String(), version: Type.Integer() }, { $id: 'RegistrySubjectVersion' })
)
export const Raw = Type.String({ description: 'The text of the schema as it is' })

export const CompatibilityResult = Type.Object(
  {
    is_compatible: Type.Boolean(),
    messages: Type.Optional(Type.Array(Type.String(), { description: 'What is in the way, with `verbose`' }))
  },
  { $id: 'RegistryCompatibility', examples: [{ is_compatible: true }] }
)
export type CompatibilityResult = Static<typeof CompatibilityResult>

export const ConfigRequest = Type.Object(
  { compatibility: Type.Optional(Text(100, 'Such as `BACKWARD`')) },
  { $id: 'RegistryConfigRequest' }
)
export const ConfigEcho = Type.Object(
  { compatibility: Type.String() },
  { $id: 'RegistryConfigEcho', examples: [{ compatibility: 'FULL' }] }
)
export const Config = Type.Object(
  { compatibilityLevel: Type.String() },
  { $id: 'RegistryConfig', examples: [{ compatibilityLevel: 'BACKWARD' }] }
)
export const ModeRequest = Type.Object(
  { mode: Type.Optional(Text(100, '`READWRITE`, `READONLY`, `READONLY_OVERRIDE` or `IMPORT`')) },
  { $id: 'RegistryModeRequest' }
)
export const Mode = Type.Object({ mode: Type.String() }, { $id: 'RegistryMode', examples: [{ mode: 'READWRITE' }] })

/** A parameter that is on where it is `true`. Any other value is off and not refused, as in Confluent's registry. */
const Flag = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }))
export const isOn = (flag: string | undefined): boolean => flag?.toLowerCase() === 'true'

const deleted = Flag('`true`: deleted ones too')
const deletedOnly = Flag('`true`: deleted ones only')
const Part = { maxLength: 4096 }

export const BySubject = Params('schema', 'subject', {
  subject: Type.String({ ...Part, description: 'Of the schema, its name' })
})
export const ByVersion = Params('schema', 'subject', {
  subject: Type.String({ ...Part, description: 'Of the schema, its name' }),
  version: Type.String({ ...Part, description: 'Its number, or `latest`' })
})
export const ById = Params('schema-content', 'id', {
  id: Type.String({ ...Part, pattern: '^\\d{1,10}$', description: 'The number that messages carry' })
})
export const ByGuid = Params('schema-content', 'guid', {
  guid: Type.String({ ...Part, pattern: '^[0-9a-fA-F-]{32,36}$', description: 'The GUID of a schema' })
})

const page = {
  subjectPrefix: Type.Optional(
    Type.String({ maxLength: 1000, description: 'What the subjects begin with; `:.:` and `:*:` before it say nothing' })
  ),
  deleted,
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_INT, description: 'How many are left out' })),
  limit: Type.Optional(
    Type.Integer({ minimum: -MAX_INT, maximum: MAX_INT, description: 'How many there are at most; -1 for all' })
  )
}
export const SubjectsQuery = Type.Object({ ...page, deletedOnly })
export const SchemasQuery = Type.Object({ ...page, latestOnly: Flag('`true`: of each subject the latest only') })

/** The query of operations without parameters. */
export const AnyQuery = Type.Object({})
export const VersionsQuery = Type.Object({ deleted, deletedOnly })
export const DeletedQuery = Type.Object({ deleted })
export const ContentQuery = Type.Object({ fetchMaxId: Flag('`true`: with the highest id there is') })
export const DeleteQuery = Type.Object({ permanent: Flag('`true`: for good; only what has been deleted before') })
export const RegisterQuery = Type.Object({
  normalize: Flag('Schemas that say the same are one schema here, however they are written, so that it changes nothing')
})
export const LookupQuery = Type.Object({ deleted })
export const VerboseQuery = Type.Object({ verbose: Flag('`true`: with what is in the way') })
export const ScopeQuery = Type.Object({
  defaultToGlobal: Flag('`true`: what holds for it, where it has none of its own')
})
export const ForceQuery = Type.Object({ force: Flag('`true`: `IMPORT` even where there are schemas') })
