import { DOCUMENT_ERRORS } from '../../../http/documents/text.ts'
import { perform, type Route, read } from '../../../http/route.ts'
import { OneOf } from '../../../http/schemas.ts'
import { Type } from '../../../http/type.ts'
import { Pipeline, PipelineCreate } from '../definition/schema.ts'
import { PipelineParams } from '../params.ts'
import type { Portable } from './service.ts'

const ExportQuery = Type.Object(
  { format: Type.Optional(OneOf(['json', 'yaml'], '`json` if not said')) },
  { additionalProperties: false }
)

export function portableRoutes(portable: Portable): Route[] {
  return [
    read(
      {
        path: '/pipelines/:id/export',
        operationId: 'exportPipeline',
        summary: 'Get the definition of a pipeline as a file',
        description: 'Secrets are `********` in it.',
        permission: 'pipelines:read',
        params: PipelineParams,
        query: ExportQuery,
        answer: PipelineCreate,
        alsoProduces: ['application/yaml']
      },
      ({ params, query }) => portable.export(params.id, query.format ?? 'json')
    ),
    perform(
      {
        method: 'POST',
        path: '/pipelines/import',
        operationId: 'importPipeline',
        summary: 'Make a pipeline from a file',
        description:
          'JSON, or with `Content-Type: application/yaml` YAML, as `export` gives it, with the secrets put in. At most 1 MiB.',
        permission: 'pipelines:write',
        audit: 'pipeline.import',
        status: 201,
        stream: { mediaType: 'application/json', schema: { $ref: '#/components/schemas/PipelineCreate' } },
        answer: Pipeline,
        errors: ['name_taken', 'pipeline_busy', ...DOCUMENT_ERRORS],
        isSame: (context, answered) => portable.isSame(context, answered)
      },
      ({ actor, raw }) => portable.import(actor, raw)
    )
  ]
}
