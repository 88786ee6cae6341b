import { DOCUMENT_ERRORS } from '../../../http/documents/text.ts'
import { perform, type Route, read } from '../../../http/route.ts'
import { OneOf } from '../../../http/schemas.ts'
import { Type } from '../../../http/type.ts'
import { Dashboard, DashboardFile, DashboardParams } from '../schema.ts'
import type { Portable } from './service.ts'

const ExportQuery = Type.Object(
  { format: Type.Optional(OneOf(['json', 'yaml'], '`json` if not said')) },
  { additionalProperties: false }
)

export function portableRoutes(portable: Portable): Route[] {
  return [
    read(
      {
        path: '/dashboards/:id/export',
        operationId: 'exportDashboard',
        summary: 'Get a dashboard as a file',
        permission: 'dashboards:read',
        params: DashboardParams,
        query: ExportQuery,
        answer: DashboardFile,
        alsoProduces: ['application/yaml']
      },
      ({ actor, params, query }) => portable.export(actor, params.id, query.format ?? 'json')
    ),
    perform(
      {
        method: 'POST',
        path: '/dashboards/import',
        operationId: 'importDashboard',
        summary: 'Make a dashboard from a file',
        description: 'JSON, or with `Content-Type: application/yaml` YAML, as `export` gives it. At most 5 MiB.',
        permission: 'dashboards:write',
        audit: 'dashboard.import',
        status: 201,
        stream: { mediaType: 'application/json', schema: { $ref: '#/components/schemas/DashboardFile' } },
        answer: Dashboard,
        errors: [...DOCUMENT_ERRORS],
        isSame: (context, answered) => portable.isSame(context, answered)
      },
      ({ actor, raw }) => portable.import(actor, raw)
    )
  ]
}
