import { watchCaller } from '../../http/caller.ts'
import { change, type Route, read } from '../../http/route.ts'
import { Nothing } from '../../http/schemas.ts'
import type { Candidates } from './candidates.ts'
import type { Review } from './review.ts'
import {
  ById,
  ByTwoVersions,
  ByVersion,
  DeleteQuery,
  Schema,
  SchemaCreate,
  SchemaPage,
  SchemaQuery,
  SchemaSummary,
  SchemaUpdate
} from './schema.ts'
import type { Schemas } from './service.ts'
import {
  Comparison,
  CompatibilityCheck,
  CompatibilityVerdict,
  ConvertAnswer,
  ConvertQuery,
  ExampleAnswer,
  ExampleQuery,
  InferAnswer,
  InferBody,
  ValidateAnswer,
  ValidateBody
} from './tool-schema.ts'
import type { Tools } from './tools.ts'

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

export function reviewRoutes(review: Review): Route[] {
  return [
    read(
      {
        method: 'POST',
        path: '/schemas/:id/compatibility',
        operationId: 'checkSchemaCompatibility',
        summary: 'Find everything that stands in the way of a schema becoming the next version',
        permission: 'schemas:read',
        params: ById,
        body: CompatibilityCheck,
        answer: CompatibilityVerdict,
        errors: [...SCHEMA_ERRORS],
        tooLarge: 'schema_too_large'
      },
      ({ params, body }) => review.compatibility(params.id, body)
    ),
    read(
      {
        path: '/schemas/:id/versions/:v1/compare/:v2',
        operationId: 'compareSchemaVersions',
        summary: 'Compare two versions of a schema by their meaning',
        description: 'Each change says whom it breaks, in which direction, and by which rule.',
        permission: 'schemas:read',
        params: ByTwoVersions,
        answer: Comparison,
        errors: ['schema_too_complex', 'unprocessable', 'overloaded']
      },
      ({ params }) => review.compare(params.id, params.v1, params.v2)
    )
  ]
}

const ERRORS = ['schema_too_complex', 'unprocessable', 'overloaded'] as const

export function toolRoutes(tools: Tools): Route[] {
  return [
    read(
      {
        method: 'POST',
        path: '/schemas/infer',
        operationId: 'inferSchema',
        summary: 'Make a schema out of data',
        description:
          'Looks at up to 1,000 records, masked where they are classified above the caller’s clearance. Nothing is registered.',
        permission: 'schemas:read',
        body: InferBody,
        answer: InferAnswer,
        errors: [
          ...ERRORS,
          'above_clearance',
          'query_timeout',
          'store_failed',
          'series_url_missing',
          'objects_url_missing'
        ]
      },
      async (asker) => {
        const caller = watchCaller(asker.raw)
        try {
          return await tools.infer(asker, asker.body, caller.signal)
        } finally {
          caller.release()
        }
      }
    ),
    read(
      {
        method: 'POST',
        path: '/schemas/:id/versions/:version/validate',
        operationId: 'validateWithSchema',
        summary: 'Find out whether values fit a version of a schema',
        permission: 'schemas:read',
        params: ByVersion,
        body: ValidateBody,
        answer: ValidateAnswer,
        errors: [...ERRORS]
      },
      ({ params, body }) => tools.validate(params.id, params.version, body)
    ),
    read(
      {
        path: '/schemas/:id/versions/:version/example',
        operationId: 'makeSchemaExamples',
        summary: 'Make example values that fit a version of a schema',
        permission: 'schemas:read',
        params: ByVersion,
        query: ExampleQuery,
        answer: ExampleAnswer,
        errors: [...ERRORS]
      },
      ({ params, query }) => tools.examples(params.id, params.version, query)
    ),
    read(
      {
        path: '/schemas/:id/versions/:version/convert',
        operationId: 'convertSchema',
        summary: 'Say what a version says in another language, and what is lost by that',
        permission: 'schemas:read',
        params: ByVersion,
        query: ConvertQuery,
        answer: ConvertAnswer,
        errors: [...ERRORS]
      },
      ({ params, query }) => tools.convert(params.id, params.version, query.to)
    )
  ]
}
