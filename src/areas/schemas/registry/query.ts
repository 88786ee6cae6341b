import { Params } from '../../../http/params.ts'
import { Type } from '../../../http/type.ts'

/** Parameters of addresses. Those that clients send and nobody here knows are not looked at. */

const MAX_INT = 2 ** 31 - 1

/** On where it is `true`; anything else is off, as it is for Confluent's registry. */
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

/** Of operations that have none themselves. */
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
