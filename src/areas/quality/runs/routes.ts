import { change, type Route, read } from '../../../http/route.ts'
import { QualityRun, RunPage, RunParams, RunQuery } from './schema.ts'
import type { QualityRuns } from './service.ts'

export function runRoutes(runs: QualityRuns): Route[] {
  return [
    read(
      {
        path: '/quality/runs',
        operationId: 'listQualityRuns',
        summary: 'List the evaluations, profiles and baselines that are under way, the oldest first',
        description: 'Of all replicas, whatever has brought them about. What has ended is not listed.',
        permission: 'quality:read',
        query: RunQuery,
        answer: RunPage
      },
      ({ query }) => runs.list(query)
    ),
    read(
      {
        path: '/quality/runs/:id',
        operationId: 'getQualityRun',
        summary: 'Tell how far an evaluation, a profile or a baseline is',
        permission: 'quality:read',
        params: RunParams,
        answer: QualityRun
      },
      ({ params }) => runs.get(params.id)
    ),
    change(
      {
        method: 'POST',
        path: '/quality/runs/:id/cancel',
        operationId: 'cancelQualityRun',
        summary: 'Cancel an evaluation, a profile or a baseline that is under way',
        description:
          'It ends within two seconds. All rules of an evaluation are `notEvaluated` then, with the reason `cancelled`; of the others nothing is kept.',
        permission: 'quality:write',
        audit: 'quality-run.cancel',
        status: 202,
        params: RunParams,
        answer: QualityRun,
        errors: ['run_ended'],
        gather: () => runs.tell()
      },
      ({ tx, actor, params }) => runs.cancel(tx, actor, params.id)
    )
  ]
}
