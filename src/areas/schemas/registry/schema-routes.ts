import { PlainParams } from '../../../http/params.ts'
import { type Route, read, StreamAnswer } from '../../../http/route.ts'
import { Type } from '../../../http/type.ts'
import { TYPE_NAMES } from './forms.ts'
import { REGISTRY_TYPE, rawAnswer } from './manners.ts'
import {
  AnyQuery,
  ByGuid,
  ById,
  ContentQuery,
  DeletedQuery,
  isOn,
  Names,
  Raw,
  RegistryContent,
  RegistrySchemas,
  SchemasQuery,
  SubjectVersions
} from './schema.ts'
import { asJson, type Contents, type Lists } from './subjects.ts'

export function schemaRoutes(contents: Contents, lists: Lists): Route[] {
  return [
    read(
      {
        path: '/schemas',
        operationId: 'registryListSchemas',
        summary: 'List the versions of all subjects with their schemas',
        description: 'The first 1,000 from `offset` on, or fewer with `limit`.',
        permission: 'schemas:read',
        query: SchemasQuery,
        answer: RegistrySchemas
      },
      ({ query }) => {
        const which = isOn(query.deleted) ? 'any' : 'live'
        const found = lists.schemas(query, { which, latestOnly: isOn(query.latestOnly) })
        return new StreamAnswer(REGISTRY_TYPE, asJson(found))
      }
    ),
    read(
      {
        path: '/schemas/types',
        operationId: 'registryListTypes',
        summary: 'List the languages that schemas can be written in',
        permission: 'schemas:read',
        query: AnyQuery,
        answer: Names
      },
      () => TYPE_NAMES
    ),
    read(
      {
        path: '/schemas/guids/:guid',
        operationId: 'registryGetContentByGuid',
        summary: 'Get a schema by its GUID',
        permission: 'schemas:read',
        params: ByGuid,
        query: AnyQuery,
        answer: RegistryContent
      },
      ({ params }) => contents.getByGuid(params.guid)
    ),
    ...contentRoutes(contents)
  ]
}

function contentRoutes(contents: Contents): Route[] {
  return [
    read(
      {
        path: '/schemas/ids/:id',
        operationId: 'registryGetContent',
        summary: 'Get a schema by the id that messages carry',
        permission: 'schemas:read',
        params: ById,
        query: ContentQuery,
        answer: RegistryContent,
        madeFrom: ['schemas', 'schema_versions', 'schema_contents', 'schema_settings']
      },
      ({ params, query }) => contents.get(Number(params.id), isOn(query.fetchMaxId))
    ),
    read(
      {
        path: '/schemas/ids/:id/schema',
        operationId: 'registryGetContentText',
        summary: 'Get the text of a schema by the id that messages carry',
        permission: 'schemas:read',
        params: ById,
        query: AnyQuery,
        answer: Raw
      },
      async ({ params }) => rawAnswer((await contents.get(Number(params.id))).schema)
    ),
    read(
      {
        path: '/schemas/ids/:id/subjects',
        operationId: 'registryListSubjectsOfContent',
        summary: 'List the subjects that a schema is registered under',
        permission: 'schemas:read',
        params: ById,
        query: DeletedQuery,
        answer: Names
      },
      ({ params, query }) => contents.subjects(Number(params.id), isOn(query.deleted) ? 'any' : 'live')
    ),
    read(
      {
        path: '/schemas/ids/:id/versions',
        operationId: 'registryListVersionsOfContent',
        summary: 'List the subjects and versions that a schema is registered as',
        permission: 'schemas:read',
        params: ById,
        query: DeletedQuery,
        answer: SubjectVersions
      },
      ({ params, query }) => contents.versions(Number(params.id), isOn(query.deleted) ? 'any' : 'live')
    )
  ]
}

/** The version of Confluent's API that this one follows. */
const API_VERSION = { version: '7.6.0', commitId: 'Millrace' }
const SCOPE = { path: [], clusters: { 'kafka-cluster': 'millrace', 'schema-registry-cluster': 'millrace' } }

/** Most clients ask for the root with a slash at the end. OpenAPI allows no such path, so it is an empty parameter. */
const Nothing = PlainParams({ nothing: Type.String({ maxLength: 0, description: 'Nothing: the slash is the end' }) })

const Version = Type.Object({ version: Type.String(), commitId: Type.String() })
const Cluster = Type.Object({
  id: Type.String(),
  scope: Type.Object({
    path: Type.Array(Type.String()),
    clusters: Type.Object({ 'kafka-cluster': Type.String(), 'schema-registry-cluster': Type.String() })
  })
})

/** Operations by which clients ask about the server itself. */
export function serverRoutes(): Route[] {
  const root = {
    summary: 'Tell clients of Confluent Schema Registry that somebody is there',
    permission: 'schemas:read',
    query: AnyQuery,
    answer: Type.Object({})
  } as const
  return [
    read({ ...root, path: '', operationId: 'registryRoot' }, () => ({})),
    read({ ...root, path: '/:nothing', operationId: 'registryRootBelow', params: Nothing }, () => ({})),
    read(
      {
        path: '/contexts',
        operationId: 'registryListContexts',
        summary: 'List the contexts, of which there is one',
        permission: 'schemas:read',
        query: AnyQuery,
        answer: Names
      },
      () => ['.']
    ),
    read(
      {
        path: '/v1/metadata/id',
        operationId: 'registryGetCluster',
        summary: 'Tell what the registry is called',
        permission: 'schemas:read',
        query: AnyQuery,
        answer: Cluster
      },
      () => ({ id: '', scope: SCOPE })
    ),
    read(
      {
        path: '/v1/metadata/version',
        operationId: 'registryGetServerVersion',
        summary: 'Tell which version of the API of Confluent Schema Registry is spoken',
        permission: 'schemas:read',
        query: AnyQuery,
        answer: Version
      },
      () => API_VERSION
    )
  ]
}
