import { type Route, read, StatusAnswer } from '../../../http/route.ts'
import { PipelineParams } from '../params.ts'
import { Run, RunPage, RunParams, RunQuery } from './schema.ts'
import type { Runs } from './service.ts'

export function runRoutes(runs: Runs): Route[] {
  return [
    read(
      {
        path: '/pipelines/:id/runs',
        operationId: 'listPipelineRuns',
        summary: 'List the runs of a pipeline, the last one first',
        description: 'The newest 1,000 that have ended are kept.',
        permission: 'pipelines:read',
        params: PipelineParams,
        query: RunQuery,
        answer: RunPage
      },
      ({ actor, params, query }) => runs.list(actor, params.id, query)
    ),
    read(
      {
        path: '/pipelines/:id/runs/:runId',
        operationId: 'getPipelineRun',
        summary: 'Get one run of a pipeline',
        permission: 'pipelines:read',
        params: RunParams,
        answer: Run
      },
      // Its version is that of the definition, and no reason to answer 304.
      async ({ actor, params }) => new StatusAnswer(200, await runs.get(actor, params.id, params.runId))
    )
  ]
}
