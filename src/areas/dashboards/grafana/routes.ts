import { perform, type Route, read } from '../../../http/route.ts'
import { GrafanaImport, GrafanaImported, GrafanaPreview } from './schema.ts'
import type { GrafanaImports } from './service.ts'

const body = {
  stream: { mediaType: 'application/json', schema: GrafanaImport },
  errors: [
    'malformed_json',
    'malformed_yaml',
    'body_incomplete',
    'payload_too_large',
    'unsupported_media_type',
    'overloaded'
  ]
} as const

export function grafanaRoutes(imports: GrafanaImports): Route[] {
  return [
    read(
      {
        method: 'POST',
        path: '/dashboards/import/grafana/preview',
        operationId: 'previewGrafanaImport',
        summary: 'See what would come of a dashboard of Grafana',
        description: 'Nothing is kept. The report says of each panel and variable what is taken, what is not, and why.',
        permission: 'dashboards:write',
        ...body,
        answer: GrafanaPreview
      },
      (context) => imports.preview(context)
    ),
    perform(
      {
        method: 'POST',
        path: '/dashboards/import/grafana',
        operationId: 'importGrafanaDashboard',
        summary: 'Make a dashboard from one of Grafana',
        description:
          'Panels whose queries can’t be run here become texts that say what they asked. Values of variables are parameters of SQL, never a part of it.',
        permission: 'dashboards:write',
        audit: 'dashboard.import',
        status: 201,
        ...body,
        answer: GrafanaImported,
        isSame: (context, answered) => imports.isSame(context, answered)
      },
      (context) => imports.import(context)
    )
  ]
}
