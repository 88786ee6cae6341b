import { preferredType } from '../../../http/accept.ts'
import type { Actor } from '../../../http/permissions.ts'
import { perform, type Route, read, StreamAnswer } from '../../../http/route.ts'
import { PipelineParams } from '../params.ts'
import type { DeadLetterReplays } from './replays.ts'
import {
  DeadLetterPage,
  DeadLetterQuery,
  DeletedCount,
  DeleteQuery,
  ReplayBody,
  ReplayResult,
  Summary,
  TryBody,
  TryResult
} from './schema.ts'
import type { DeadLetters } from './service.ts'

const CSV = 'text/csv'
const NDJSON = 'application/x-ndjson'

interface Needs {
  readonly deadLetters: DeadLetters
  readonly replays: DeadLetterReplays
  tryReplay(actor: Actor, pipelineId: string, body: TryBody): Promise<TryResult>
}

export function deadLetterRoutes({ deadLetters, replays, tryReplay }: Needs): Route[] {
  return [
    read(
      {
        path: '/pipelines/:id/dead-letters',
        operationId: 'listDeadLetters',
        summary: 'List records that could not go on, the last one first, or export them',
        description:
          'A record of more than 32,768 characters is shown as the beginning of its text, with `recordTruncated`. With `Accept: application/x-ndjson` or `text/csv` all that match are exported, the oldest first, each with its reason and as a whole; in CSV `record` and `origin` are JSON. Where the pipeline reads or writes data above the caller’s clearance, records and reasons read `********`.',
        permission: 'pipelines:read',
        params: PipelineParams,
        query: DeadLetterQuery,
        answer: DeadLetterPage,
        alsoProduces: [CSV, NDJSON],
        errors: ['not_acceptable', 'above_clearance']
      },
      async (asker) => {
        const { params, query } = asker
        const type = preferredType(asker.headers.accept, ['application/json', CSV, NDJSON])
        if (type === 'application/json') return deadLetters.list(asker, params.id, query)
        return new StreamAnswer(
          type,
          await deadLetters.export(asker, params.id, query, type === CSV ? 'csv' : 'ndjson')
        )
      }
    ),
    read(
      {
        path: '/pipelines/:id/dead-letters/summary',
        operationId: 'summarizeDeadLetters',
        summary: 'Count the dead letters that wait, by node and code',
        permission: 'pipelines:read',
        params: PipelineParams,
        answer: Summary,
        errors: ['above_clearance']
      },
      (asker) => deadLetters.summary(asker, asker.params.id)
    ),
    replayRoute(replays),
    read(
      {
        method: 'POST',
        path: '/pipelines/:id/dead-letters/try',
        operationId: 'tryReplay',
        summary: 'Show what a replay would make of some dead letters',
        description:
          'Takes the oldest that match and puts each by itself through the nodes as they are defined now, within 10 seconds: the record with the correction, and what sinks would write or who would refuse it, sinks among them as far as they can tell without writing (`asked`). Nothing is written or kept, and no other system called; what nodes remember is not looked at.',
        permission: 'pipelines:write',
        params: PipelineParams,
        body: TryBody,
        answer: TryResult,
        errors: ['unprocessable', 'query_timeout', 'pipeline_busy', 'above_clearance']
      },
      ({ actor, params, body }) => tryReplay(actor, params.id, body)
    ),
    perform(
      {
        method: 'DELETE',
        path: '/pipelines/:id/dead-letters',
        operationId: 'deleteDeadLetters',
        summary: 'Delete the dead letters of a pipeline that wait, all or those that match',
        description:
          'Those that were put through again stay, unless `replayed=true` asks for them, and then only they go.',
        permission: 'pipelines:write',
        audit: 'dead-letter.delete',
        status: 200,
        params: PipelineParams,
        query: DeleteQuery,
        answer: DeletedCount
      },
      ({ params, query }) => deadLetters.delete(params.id, query)
    )
  ]
}

const replayRoute = (replays: DeadLetterReplays): Route =>
  perform(
    {
      method: 'POST',
      path: '/pipelines/:id/dead-letters/replay',
      operationId: 'replayDeadLetters',
      summary: 'Put dead letters through a pipeline again',
      description:
        'All that wait and match when it is asked for, the oldest first, each at the node that refused it, with a correction if wanted. A pipeline that runs takes them between its batches. One that is stopped, completed or failed does it in a run of its own (`kind`: `replay`) of the definition as it is now, that reads no source and leaves the pipeline as it was. 200 means that all is committed; after 20 seconds the answer is 202, with what is done so far and the run that goes on with it. One that is refused again is a dead letter again. What a source received and could not read as a record can’t be replayed, and is told in `skipped`.',
      permission: 'pipelines:write',
      audit: 'dead-letter.replay',
      params: PipelineParams,
      body: ReplayBody,
      answer: ReplayResult,
      otherStatuses: [202],
      errors: ['illegal_transition', 'pipeline_busy', 'unprocessable', 'above_clearance']
    },
    ({ actor, params, body }) => replays.replay(actor, params.id, body)
  )
