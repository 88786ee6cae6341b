import { change, type Route } from '../../../http/route.ts'
import { AlertRule } from '../../alerts/index.ts'
import { PanelAlert, PanelParams } from './schema.ts'
import type { PanelAlerts } from './service.ts'

export function alertingRoutes(alerts: PanelAlerts): Route[] {
  return [
    change(
      {
        method: 'POST',
        path: '/dashboards/:id/panels/:panelId/alert-rule',
        operationId: 'createAlertRuleFromPanel',
        summary: 'Make an alert rule that watches what a panel shows',
        description:
          'From then on it is a rule like any other; changes of the panel do not change it. It takes the right to write alert rules.',
        permission: 'dashboards:read',
        audit: 'alert-rule.create',
        status: 201,
        params: PanelParams,
        body: PanelAlert,
        answer: AlertRule,
        errors: ['name_taken', 'above_clearance'],
        gather: ({ actor, params, body }) => alerts.draft(actor, params.id, params.panelId, body)
      },
      ({ tx, actor, gathered }) => alerts.create(tx, actor, gathered)
    )
  ]
}
