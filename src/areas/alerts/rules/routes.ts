import { etagOf } from '../../../http/etag.ts'
import { change, type Route, read, StatusAnswer } from '../../../http/route.ts'
import { Nothing } from '../../../http/schemas.ts'
import {
  EventList,
  InstancePage,
  InstanceQuery,
  Rule,
  RuleCreate,
  RulePage,
  RuleParams,
  RuleQuery,
  RuleUpdate
} from './schema.ts'
import type { Rules } from './service.ts'

export function ruleRoutes(rules: Rules): Route[] {
  return [
    read(
      {
        path: '/alerts/events',
        operationId: 'listAlertEvents',
        summary: 'List what may happen that a rule can be about',
        permission: 'alerts:read',
        answer: EventList
      },
      () => rules.events()
    ),
    read(
      {
        path: '/alerts/rules',
        operationId: 'listAlertRules',
        summary: 'List alert rules, each with its state',
        permission: 'alerts:read',
        query: RuleQuery,
        answer: RulePage
      },
      ({ query }) => rules.list(query)
    ),
    change(
      {
        method: 'POST',
        path: '/alerts/rules',
        operationId: 'createAlertRule',
        summary: 'Make an alert rule',
        description:
          'It is evaluated for the first time within seconds. `POST /api/alerts/rules/preview` tries one first.',
        permission: 'alerts:write',
        audit: 'alert-rule.create',
        status: 201,
        body: RuleCreate,
        answer: Rule,
        errors: ['name_taken', 'above_clearance'],
        gather: ({ actor, body }) => rules.requireClearance(actor, body)
      },
      ({ tx, actor, body }) => rules.create(tx, actor, body)
    ),
    read(
      {
        path: '/alerts/rules/:id',
        operationId: 'getAlertRule',
        summary: 'Get one alert rule',
        permission: 'alerts:read',
        params: RuleParams,
        answer: Rule
      },
      async ({ params }) => {
        const rule = await rules.get(params.id)
        // The version counts changes by people; the state changes without it, so the answer is never 304.
        return new StatusAnswer(200, rule, { etag: etagOf(rule) as string })
      }
    ),
    change(
      {
        method: 'PUT',
        path: '/alerts/rules/:id',
        operationId: 'updateAlertRule',
        summary: 'Change an alert rule',
        description:
          'It is evaluated at once. Alerts that are open stay so until an evaluation says otherwise; those of a rule that is disabled are resolved.',
        permission: 'alerts:write',
        audit: 'alert-rule.update',
        params: RuleParams,
        body: RuleUpdate,
        answer: Rule,
        errors: ['name_taken', 'above_clearance'],
        gather: ({ actor, params, body }) => rules.requireClearance(actor, body, params.id)
      },
      ({ tx, params, body }) => rules.update(tx, params.id, body)
    ),
    change(
      {
        method: 'DELETE',
        path: '/alerts/rules/:id',
        operationId: 'deleteAlertRule',
        summary: 'Delete an alert rule',
        description: 'Its open alerts are resolved; its history stays.',
        permission: 'alerts:write',
        audit: 'alert-rule.delete',
        params: RuleParams,
        answer: Nothing
      },
      ({ tx, params }) => rules.delete(tx, params.id)
    ),
    read(
      {
        path: '/alerts/rules/:id/instances',
        operationId: 'listAlertInstances',
        summary: 'List the instances of an alert rule, one for each label set',
        permission: 'alerts:read',
        params: RuleParams,
        query: InstanceQuery,
        answer: InstancePage
      },
      ({ params, query }) => rules.instances(params.id, query)
    )
  ]
}
