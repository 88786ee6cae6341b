import { etagOf } from '../../../http/etag.ts'
import { change, type Route, read, StatusAnswer } from '../../../http/route.ts'
import { Nothing } from '../../../http/schemas.ts'
import { Rule, RuleCreate, RulePage, RuleParams, RuleQuery, RuleUpdate } from './schema.ts'
import type { Rules } from './service.ts'

export function ruleRoutes(rules: Rules): Route[] {
  return [
    read(
      {
        path: '/quality/rules',
        operationId: 'listQualityRules',
        summary: 'List quality rules, each with what its last evaluation came to',
        description: 'What a configuration may quote of data above the clearance of the caller reads `********`.',
        permission: 'quality:read',
        query: RuleQuery,
        answer: RulePage
      },
      ({ actor, query }) => rules.list(actor, query)
    ),
    change(
      {
        method: 'POST',
        path: '/quality/rules',
        operationId: 'createQualityRule',
        summary: 'Make a quality rule',
        description:
          'Where the data are there, columns and SQL are checked with them; where they are not yet, that is no reason to refuse the rule. It takes the right to read the data.',
        permission: 'quality:write',
        audit: 'quality-rule.create',
        status: 201,
        body: RuleCreate,
        answer: Rule,
        errors: ['name_taken', 'too_many_rules', 'overloaded', 'above_clearance'],
        gather: ({ actor, body }) => rules.checkNew(actor, body)
      },
      ({ tx, actor, body, gathered }) => rules.create(tx, actor, body, gathered)
    ),
    read(
      {
        method: 'POST',
        path: '/quality/rules/check',
        operationId: 'checkNewQualityRule',
        summary: 'Tell whether a quality rule could be made',
        description: 'Refuses what making it would refuse, for the same reasons, and makes nothing.',
        permission: 'quality:write',
        status: 204,
        body: RuleCreate,
        answer: Nothing,
        errors: ['name_taken', 'too_many_rules', 'overloaded', 'above_clearance']
      },
      ({ actor, body }) => rules.tryNew(actor, body)
    ),
    read(
      {
        method: 'POST',
        path: '/quality/rules/:id/check',
        operationId: 'checkChangedQualityRule',
        summary: 'Tell whether a quality rule could be changed so',
        description: 'Refuses what the change would refuse, for the same reasons, and changes nothing.',
        permission: 'quality:write',
        status: 204,
        params: RuleParams,
        body: RuleUpdate,
        answer: Nothing,
        errors: ['name_taken', 'overloaded', 'above_clearance']
      },
      ({ actor, params, body }) => rules.tryChanged(actor, params.id, body)
    ),
    read(
      {
        path: '/quality/rules/:id',
        operationId: 'getQualityRule',
        summary: 'Get one quality rule',
        permission: 'quality:read',
        params: RuleParams,
        answer: Rule
      },
      async ({ actor, params }) => {
        const rule = await rules.get(actor, params.id)
        // The version counts changes by people; the status changes without it, so the answer is never 304.
        return new StatusAnswer(200, rule, { etag: etagOf(rule) as string })
      }
    ),
    change(
      {
        method: 'PUT',
        path: '/quality/rules/:id',
        operationId: 'updateQualityRule',
        summary: 'Change a quality rule',
        description:
          'What it is about and of which type it is stays; make another rule for another question. One whose configuration or thresholds change has no status until it is evaluated again.',
        permission: 'quality:write',
        audit: 'quality-rule.update',
        params: RuleParams,
        body: RuleUpdate,
        answer: Rule,
        errors: ['name_taken', 'overloaded', 'above_clearance'],
        gather: ({ actor, params, body }) => rules.checkChanged(actor, params.id, body)
      },
      ({ tx, params, body, gathered }) => rules.update(tx, params.id, body, gathered)
    ),
    change(
      {
        method: 'DELETE',
        path: '/quality/rules/:id',
        operationId: 'deleteQualityRule',
        summary: 'Delete a quality rule',
        description: 'Its results stay until they are old.',
        permission: 'quality:write',
        audit: 'quality-rule.delete',
        params: RuleParams,
        answer: Nothing
      },
      ({ tx, params }) => rules.delete(tx, params.id)
    )
  ]
}
