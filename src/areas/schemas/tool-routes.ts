import { watchCaller } from '../../http/caller.ts'
import { type Route, read } from '../../http/route.ts'
import { ByVersion } from './schema.ts'
import {
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

const ERRORS = ['schema_too_complex', 'unprocessable', 'overloaded'] as const

export function toolRoutes(tools: Tools): Route[] {
  return [
    read(
      {
        method: 'POST',
        path: '/schemas/infer',
        operationId: 'inferSchema',
        summary: 'Make a schema out of data',
        description: 'Looks at up to 1,000 records. Nothing is registered.',
        permission: 'schemas:read',
        body: InferBody,
        answer: InferAnswer,
        errors: [...ERRORS, 'query_timeout', 'store_failed', 'series_url_missing', 'objects_url_missing']
      },
      async ({ actor, body, raw }) => {
        const caller = watchCaller(raw)
        try {
          return await tools.infer(actor, body, caller.signal)
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
