import { change, type Route, read } from '../../http/route.ts'
import { Nothing, OneOf } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { SCHEMA_ERRORS } from './routes.ts'
import {
  ById,
  ByVersion,
  DeleteQuery,
  SchemaVersion,
  VERSION_STATES,
  VersionCreate,
  VersionPage,
  VersionQuery,
  VersionUpdate,
  VersionUpdateQuery
} from './schema.ts'
import type { Versions } from './versions.ts'

const ReferencedBy = Type.Object(
  {
    referencedBy: Type.Array(
      Type.Object({
        schemaId: Type.String(),
        name: Type.String(),
        version: Type.Integer(),
        state: OneOf(VERSION_STATES, 'Of the version that refers to it')
      }),
      { description: 'The first 1,000' }
    )
  },
  {
    $id: 'SchemaReferencedBy',
    examples: [
      {
        referencedBy: [
          { schemaId: 'sch_01kb8y2m6ze8r4n0c5t7w9q3fd', name: 'orders-value', version: 3, state: 'enabled' }
        ]
      }
    ]
  }
)

export function versionRoutes(versions: Versions): Route[] {
  return [
    read(
      {
        path: '/schemas/:id/versions',
        operationId: 'listSchemaVersions',
        summary: 'List the versions of a schema',
        permission: 'schemas:read',
        params: ById,
        query: VersionQuery,
        answer: VersionPage
      },
      ({ params, query }) => versions.list(params.id, query)
    ),
    change(
      {
        method: 'POST',
        path: '/schemas/:id/versions',
        operationId: 'addSchemaVersion',
        summary: 'Add a version to a schema',
        description:
          'It is held against the versions before it as the compatibility of the schema says. The same schema again, however it is written, is the version that it is already.',
        permission: 'schemas:write',
        audit: 'schema-version.create',
        status: 201,
        otherStatuses: [200],
        params: ById,
        body: VersionCreate,
        answer: SchemaVersion,
        errors: ['schema_incompatible', 'schema_busy', ...SCHEMA_ERRORS],
        tooLarge: 'schema_too_large',
        gather: ({ params, body }) => versions.gather(params.id, body)
      },
      ({ tx, actor, params, body, gathered }) => versions.add(tx, actor, params.id, body, gathered)
    ),
    read(
      {
        path: '/schemas/:id/versions/:version',
        operationId: 'getSchemaVersion',
        summary: 'Get a version of a schema',
        permission: 'schemas:read',
        params: ByVersion,
        answer: SchemaVersion,
        madeFrom: ['schemas', 'schema_versions', 'schema_contents']
      },
      ({ params }) => versions.get(params.id, params.version)
    ),
    change(
      {
        method: 'PUT',
        path: '/schemas/:id/versions/:version',
        operationId: 'updateSchemaVersion',
        summary: 'Change the state or the metadata of a version',
        description: 'A draft is held against the versions before it when it is enabled.',
        permission: 'schemas:write',
        audit: 'schema-version.update',
        params: ByVersion,
        body: VersionUpdate,
        answer: SchemaVersion,
        query: VersionUpdateQuery,
        errors: ['in_use', 'illegal_transition', 'schema_incompatible', 'schema_busy', 'schemas_read_only'],
        gather: ({ params, body }) => versions.gatherUpdate(params.id, params.version, body)
      },
      ({ tx, params, query, body, gathered }) =>
        versions.update(tx, params.id, params.version, body, gathered, query.force === true)
    ),
    change(
      {
        method: 'DELETE',
        path: '/schemas/:id/versions/:version',
        operationId: 'deleteSchemaVersion',
        summary: 'Delete a version, so that it can be restored; or for good',
        permission: 'schemas:write',
        audit: 'schema-version.delete',
        params: ByVersion,
        query: DeleteQuery,
        answer: Nothing,
        errors: ['in_use', 'illegal_transition', 'schemas_read_only']
      },
      ({ tx, params, query }) =>
        query.permanent
          ? versions.removeForGood(tx, params.id, params.version, query.force === true)
          : versions.remove(tx, params.id, params.version, query.force === true)
    ),
    change(
      {
        method: 'POST',
        path: '/schemas/:id/versions/:version/restore',
        operationId: 'restoreSchemaVersion',
        summary: 'Bring back a deleted version under its old number',
        permission: 'schemas:write',
        audit: 'schema-version.restore',
        params: ByVersion,
        answer: SchemaVersion,
        errors: ['illegal_transition', 'schemas_read_only']
      },
      ({ tx, params }) => versions.restore(tx, params.id, params.version)
    ),
    read(
      {
        path: '/schemas/:id/versions/:version/referenced-by',
        operationId: 'listSchemaReferences',
        summary: 'List the versions of other schemas that refer to a version',
        permission: 'schemas:read',
        params: ByVersion,
        answer: ReferencedBy
      },
      ({ params }) => versions.usedBy(params.id, params.version)
    )
  ]
}
