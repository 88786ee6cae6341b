import { change, type Route } from '../../../http/route.ts'
import { Pipeline } from '../definition/schema.ts'
import { PipelineParams } from '../params.ts'
import type { RecordRights } from '../rights/records.ts'
import type { RunWarning } from '../store/rows.ts'
import { StartBody, StartedPipeline } from './schema.ts'
import type { Lifecycle } from './service.ts'

interface Needs {
  readonly lifecycle: Lifecycle
  readonly records: RecordRights
  warningsFor(id: string): Promise<RunWarning[]>
}

export function lifecycleRoutes({ lifecycle, records, warningsFor }: Needs): Route[] {
  return [
    change(
      {
        method: 'POST',
        path: '/pipelines/:id/start',
        operationId: 'startPipeline',
        summary: 'Start a pipeline',
        description:
          'Possible when it is stopped, completed or failed. It is `starting` until its nodes are open, then `running`; a pipeline whose sources end is `completed`. `warnings` tells of files that are to be read and are not there; the run keeps it.',
        permission: 'pipelines:write',
        audit: 'pipeline.start',
        status: 202,
        params: PipelineParams,
        body: StartBody,
        answer: StartedPipeline,
        errors: ['illegal_transition', 'above_clearance'],
        gather: async ({ actor, params }) => {
          await records.requireInputs(actor, params.id)
          return warningsFor(params.id)
        }
      },
      ({ tx, actor, params, body, gathered }) =>
        lifecycle.start(tx, actor, params.id, body?.from ?? 'checkpoint', gathered)
    ),
    change(
      {
        method: 'POST',
        path: '/pipelines/:id/stop',
        operationId: 'stopPipeline',
        summary: 'Stop a pipeline',
        description: 'Possible when it is starting or running. What it has taken in is written and remembered first.',
        permission: 'pipelines:write',
        audit: 'pipeline.stop',
        status: 202,
        params: PipelineParams,
        answer: Pipeline,
        errors: ['illegal_transition']
      },
      ({ tx, params }) => lifecycle.stop(tx, params.id)
    )
  ]
}
