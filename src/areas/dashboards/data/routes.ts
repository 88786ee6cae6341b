import { type Route, read } from '../../../http/route.ts'
import { DashboardParams } from '../schema.ts'
import { chosenFromText } from './chosen-text.ts'
import {
  DashboardData as DashboardDataAnswer,
  DashboardDataRequest,
  PanelDataQuery,
  PanelDataRequest,
  PanelParams,
  PreviewRequest,
  VariableChoices,
  VariablesRequest
} from './schema.ts'
import type { DashboardData } from './service.ts'

const TOLD =
  'An answer is kept as long as the panel, else the dashboard, says in `refreshSeconds`, for all who ask the same and may see the same; `readAt` and `ageMs` say how old it is. What is wrong with a panel is told in its `error`.'

export function dataRoutes(data: DashboardData): Route[] {
  const permission = 'dashboards:read'
  return [
    read(
      {
        path: '/dashboards/:id/panels/:panelId/data',
        operationId: 'getDashboardPanelData',
        summary: 'Get the data of a panel',
        description: `Several answers where the panel is repeated. ${TOLD}`,
        permission,
        params: PanelParams,
        query: PanelDataQuery,
        answer: DashboardDataAnswer,
        errors: ['not_found', 'unprocessable']
      },
      (asker) => {
        const { params, query } = asker
        const request = { ...query, variables: chosenFromText(query.variables) }
        return data.panel(asker, params.id, request as PanelDataRequest, params.panelId)
      }
    ),
    read(
      {
        method: 'POST',
        path: '/dashboards/:id/panels/:panelId/data',
        operationId: 'readDashboardPanelData',
        summary: 'Read the data of a panel',
        description: `The same as \`GET\`, for more variables than an address holds. ${TOLD}`,
        permission,
        params: PanelParams,
        body: PanelDataRequest,
        answer: DashboardDataAnswer,
        errors: ['not_found', 'unprocessable']
      },
      (asker) => data.panel(asker, asker.params.id, asker.body, asker.params.panelId)
    ),
    read(
      {
        method: 'POST',
        path: '/dashboards/:id/data',
        operationId: 'readDashboardData',
        summary: 'Read the data of several panels, or of all',
        description: `${TOLD} A panel that takes longer than \`waitMs\` is \`pending\`, goes on being read for a minute, and is there for whoever asks again within half a minute of its end.`,
        permission,
        params: DashboardParams,
        body: DashboardDataRequest,
        answer: DashboardDataAnswer,
        errors: ['not_found', 'unprocessable']
      },
      (asker) => data.panels(asker, asker.params.id, asker.body)
    ),
    read(
      {
        method: 'POST',
        path: '/dashboards/:id/variables',
        operationId: 'readDashboardVariables',
        summary: 'Read what can be chosen of variables',
        description:
          'In the order in which they are chosen: what can be chosen of one may depend on those before it. Of each, the first 1,000 values are listed.',
        permission,
        params: DashboardParams,
        body: VariablesRequest,
        answer: VariableChoices,
        errors: ['not_found', 'unprocessable']
      },
      (asker) => data.choices(asker, asker.params.id, asker.body)
    ),
    read(
      {
        method: 'POST',
        path: '/dashboards/preview',
        operationId: 'previewDashboardPanel',
        summary: 'Read the data of a panel that is not on a dashboard',
        permission,
        body: PreviewRequest,
        answer: DashboardDataAnswer,
        errors: ['unprocessable']
      },
      (asker) => data.preview(asker, asker.body)
    )
  ]
}
