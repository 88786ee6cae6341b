import { type Route, read, StreamAnswer } from '../../../http/route.ts'
import type { Contents } from './contents.ts'
import { asJson, type Lists } from './lists.ts'
import { REGISTRY_TYPE } from './manners.ts'
import { AnyQuery, ByGuid, ById, ContentQuery, DeletedQuery, isOn, SchemasQuery } from './query.ts'
import { rawAnswer } from './raw-answer.ts'
import { Names, Raw, RegistryContent, RegistrySchemas, SubjectVersions } from './schema.ts'
import { TYPE_NAMES } from './view.ts'

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
