import { type Route, read } from '../../http/route.ts'
import type { Review } from './review.ts'
import { Comparison, CompatibilityCheck, CompatibilityVerdict } from './review-schema.ts'
import { SCHEMA_ERRORS } from './routes.ts'
import { ById, ByTwoVersions } from './schema.ts'

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
