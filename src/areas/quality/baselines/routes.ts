import { change, perform, type Route, read } from '../../../http/route.ts'
import { Nothing } from '../../../http/schemas.ts'
import { Baseline, BaselineCreate, BaselinePage, BaselineParams, BaselineQuery } from './schema.ts'
import type { Baselines } from './service.ts'

export function baselineRoutes(baselines: Baselines): Route[] {
  return [
    read(
      {
        path: '/quality/baselines',
        operationId: 'listQualityBaselines',
        summary: 'List baselines, the newest first',
        permission: 'quality:read',
        query: BaselineQuery,
        answer: BaselinePage
      },
      ({ actor, query }) => baselines.list(actor, query)
    ),
    perform(
      {
        method: 'POST',
        path: '/quality/baselines',
        operationId: 'createQualityBaseline',
        summary: 'Make a baseline: how the values of a column are distributed now',
        description:
          'Rules of the type `distribution` compare with it, also those about other data. It takes the right to read the data.',
        permission: 'quality:write',
        audit: 'quality-baseline.create',
        status: 201,
        body: BaselineCreate,
        answer: Baseline,
        errors: [
          'too_many_baselines',
          'unprocessable',
          'query_timeout',
          'store_failed',
          'series_url_missing',
          'run_cancelled',
          'dependency_unavailable',
          'overloaded',
          'shutting_down'
        ]
      },
      ({ actor, body }) => baselines.create(actor, body)
    ),
    read(
      {
        path: '/quality/baselines/:id',
        operationId: 'getQualityBaseline',
        summary: 'Get one baseline',
        permission: 'quality:read',
        params: BaselineParams,
        answer: Baseline
      },
      ({ actor, params }) => baselines.get(actor, params.id)
    ),
    change(
      {
        method: 'DELETE',
        path: '/quality/baselines/:id',
        operationId: 'deleteQualityBaseline',
        summary: 'Delete a baseline',
        description: 'One that a rule has made for itself is made anew when the rule is evaluated next.',
        permission: 'quality:write',
        audit: 'quality-baseline.delete',
        params: BaselineParams,
        answer: Nothing,
        errors: ['in_use']
      },
      ({ tx, params }) => baselines.delete(tx, params.id)
    )
  ]
}
