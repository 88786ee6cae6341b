import { Params } from '../../../http/params.ts'
import { perform, type Route, read } from '../../../http/route.ts'
import { Type } from '../../../http/type.ts'
import { RuleParams } from '../rules/schema.ts'
import { Evaluate, Evaluation, Result, ResultPage, ResultQuery } from './schema.ts'
import type { Results } from './service.ts'

const ResultParams = Params('quality-result', 'id', { id: Type.String({ maxLength: 64 }) })

const TROUBLE = ['overloaded', 'shutting_down', 'above_clearance'] as const

export function resultRoutes(results: Results): Route[] {
  return [
    perform(
      {
        method: 'POST',
        path: '/quality/rules/:id/evaluate',
        operationId: 'evaluateQualityRule',
        summary: 'Evaluate one quality rule now',
        description: 'Answers what it came to, whatever that is. It takes the right to read the data.',
        permission: 'quality:write',
        audit: 'quality-rule.evaluate',
        params: RuleParams,
        answer: Result,
        errors: TROUBLE
      },
      ({ actor, params }) => results.evaluateRule(actor, params.id)
    ),
    perform(
      {
        method: 'POST',
        path: '/quality/evaluate',
        operationId: 'evaluateQuality',
        summary: 'Evaluate all rules of a dataset now, in one pass over the data',
        description:
          'A rule that can’t be evaluated has the status `error` or `notEvaluated`, with the reason, and spoils none of the others. It takes the right to read the data.',
        permission: 'quality:write',
        audit: 'quality.evaluate',
        body: Evaluate,
        answer: Evaluation,
        errors: ['nothing_to_evaluate', ...TROUBLE]
      },
      ({ actor, body }) => results.evaluateDataset(actor, body)
    ),
    read(
      {
        path: '/quality/results',
        operationId: 'listQualityResults',
        summary: 'List what evaluations came to, the newest first',
        permission: 'quality:read',
        query: ResultQuery,
        answer: ResultPage
      },
      ({ actor, query }) => results.list(actor, query)
    ),
    read(
      {
        path: '/quality/results/:id',
        operationId: 'getQualityResult',
        summary: 'Get one result',
        permission: 'quality:read',
        params: ResultParams,
        answer: Result
      },
      ({ actor, params }) => results.get(actor, params.id)
    )
  ]
}
