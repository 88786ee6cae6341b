import { change, perform, type Route, read } from '../../http/route.ts'
import {
  DeadLetterPage,
  DeadLetterQuery,
  DeletedCount,
  DeleteQuery,
  ReplayBody,
  ReplayResult
} from './dead-letter-schema.ts'
import type { DeadLetters } from './dead-letters.ts'
import { PipelineParams } from './schema.ts'

export function deadLetterRoutes(deadLetters: DeadLetters): Route[] {
  return [
    read(
      {
        path: '/pipelines/:id/dead-letters',
        operationId: 'listDeadLetters',
        summary: 'List records that could not go on, the last one first',
        permission: 'pipelines:read',
        params: PipelineParams,
        query: DeadLetterQuery,
        answer: DeadLetterPage
      },
      ({ params, query }) => deadLetters.list(params.id, query)
    ),
    perform(
      {
        method: 'POST',
        path: '/pipelines/:id/dead-letters/replay',
        operationId: 'replayDeadLetters',
        summary: 'Put dead letters through a running pipeline again',
        description:
          'Each goes on at the node that refused it, in the pipeline as it runs now: change the node, start the pipeline, then replay. The answer comes when the records are committed; one that is refused again is a dead letter again. What a source received and could not read as a record can’t be replayed, and is told in `skipped`. At most 1,000 at a time, the oldest first; `waiting` tells whether there are more.',
        permission: 'pipelines:write',
        audit: 'dead-letter.replay',
        params: PipelineParams,
        body: ReplayBody,
        answer: ReplayResult,
        errors: ['illegal_transition', 'pipeline_busy', 'unprocessable']
      },
      ({ params, body }) => deadLetters.replay(params.id, body)
    ),
    change(
      {
        method: 'DELETE',
        path: '/pipelines/:id/dead-letters',
        operationId: 'deleteDeadLetters',
        summary: 'Delete the dead letters of a pipeline, or of one of its nodes',
        permission: 'pipelines:write',
        audit: 'dead-letter.delete',
        status: 200,
        params: PipelineParams,
        query: DeleteQuery,
        answer: DeletedCount
      },
      ({ tx, params, query }) => deadLetters.delete(tx, params.id, query.node)
    )
  ]
}
