import { change, type Route, read } from '../../http/route.ts'
import { Nothing } from '../../http/schemas.ts'
import type { Candidates } from './candidates.ts'
import {
  ById,
  DeleteQuery,
  Schema,
  SchemaCreate,
  SchemaPage,
  SchemaQuery,
  SchemaSummary,
  SchemaUpdate
} from './schema.ts'
import type { Schemas } from './service.ts'

/** What can be wrong with a schema that somebody sends. */
export const SCHEMA_ERRORS = [
  'invalid_schema',
  'schema_reference_missing',
  'schema_too_complex',
  'schema_too_large',
  'schemas_read_only',
  'overloaded'
] as const

const TABLES = ['schemas', 'schema_versions', 'schema_contents', 'schema_settings'] as const

export function schemaRoutes(schemas: Schemas, candidates: Candidates): Route[] {
  return [
    read(
      {
        path: '/schemas',
        operationId: 'listSchemas',
        summary: 'List the schemas',
        permission: 'schemas:read',
        query: SchemaQuery,
        answer: SchemaPage,
        madeFrom: TABLES
      },
      ({ query }) => schemas.list(query)
    ),
    change(
      {
        method: 'POST',
        path: '/schemas',
        operationId: 'createSchema',
        summary: 'Make a schema with its first version',
        description: 'Where a schema of that name has the very same version already, that one is answered with 200.',
        permission: 'schemas:write',
        audit: 'schema.create',
        status: 201,
        otherStatuses: [200],
        body: SchemaCreate,
        answer: Schema,
        errors: ['name_taken', ...SCHEMA_ERRORS],
        tooLarge: 'schema_too_large',
        gather: ({ body }) => candidates.of(body.type, body.schema, body.references)
      },
      ({ tx, actor, body, gathered }) => schemas.create(tx, actor, body, gathered)
    ),
    read(
      {
        path: '/schemas/:id',
        operationId: 'getSchema',
        summary: 'Get a schema with its versions',
        permission: 'schemas:read',
        params: ById,
        answer: Schema,
        madeFrom: TABLES
      },
      ({ params }) => schemas.get(params.id)
    ),
    change(
      {
        method: 'PUT',
        path: '/schemas/:id',
        operationId: 'updateSchema',
        summary: 'Change the compatibility, the description or the tags of a schema',
        description: 'Versions that are there are not checked again.',
        permission: 'schemas:write',
        audit: 'schema.update',
        params: ById,
        body: SchemaUpdate,
        answer: SchemaSummary,
        errors: ['schemas_read_only']
      },
      ({ tx, params, body }) => schemas.update(tx, params.id, body)
    ),
    change(
      {
        method: 'DELETE',
        path: '/schemas/:id',
        operationId: 'deleteSchema',
        summary: 'Delete a schema with its versions, so that it can be restored; or for good',
        permission: 'schemas:write',
        audit: 'schema.delete',
        params: ById,
        query: DeleteQuery,
        answer: Nothing,
        errors: ['in_use', 'illegal_transition', 'schemas_read_only']
      },
      ({ tx, params, query }) =>
        query.permanent
          ? schemas.removeForGood(tx, params.id, query.force === true)
          : schemas.remove(tx, params.id, query.force === true)
    ),
    change(
      {
        method: 'POST',
        path: '/schemas/:id/restore',
        operationId: 'restoreSchema',
        summary: 'Bring back a deleted schema with the versions that went with it',
        permission: 'schemas:write',
        audit: 'schema.restore',
        params: ById,
        answer: SchemaSummary,
        errors: ['illegal_transition', 'schemas_read_only']
      },
      ({ tx, params }) => schemas.restore(tx, params.id)
    )
  ]
}
