import { Problem } from '../../../errors.ts'
import { preferredType } from '../../../http/accept.ts'
import { type Route, read, StreamAnswer } from '../../../http/route.ts'
import { EVENT_STREAM, type EventStreams } from '../../../http/server-sent-events.ts'
import { PipelineParams } from '../params.ts'
import { LINE_ID, LogPage, LogQuery } from './schema.ts'
import type { Logs } from './service.ts'

export function logRoutes(logs: Logs, streams: EventStreams): Route[] {
  return [
    read(
      {
        path: '/pipelines/:id/logs',
        operationId: 'followPipelineLogs',
        summary: 'Follow what a pipeline says, or list it',
        description:
          'Server-sent events, unless `Accept` asks for `application/json`: `event: log`, with the line as `data` and its identifier as `id`. A reader that comes back with `Last-Event-ID` (or `after`) gets every line after that one, once; without it, the last 100 come first. `event: skipped` says that lines after that one may have been removed since: the newest 10,000 are kept. `event: ended`, whose `data` have a `code` and a `detail`, is the last one for whoever may no longer read it. A comment comes every 15 seconds. As JSON it is a list, the newest first.',
        permission: 'pipelines:read',
        params: PipelineParams,
        query: LogQuery,
        answer: LogPage,
        alsoProduces: [EVENT_STREAM],
        errors: ['not_acceptable', 'overloaded', 'above_clearance']
      },
      async (asker) => {
        const { actor, params, query, headers, method, raw } = asker
        const type = preferredType(headers.accept, [EVENT_STREAM, 'application/json'])
        if (type === 'application/json') return logs.list(asker, params.id, query)
        refuseListing(query)
        const after = lastSeen(headers['last-event-id']) ?? query.after
        await logs.require(asker, params.id)
        if (method === 'HEAD') return new StreamAnswer(EVENT_STREAM, none())
        return streams.open(raw, actor.id, (signal) => logs.follow(asker, params.id, after, signal))
      }
    )
  ]
}

function refuseListing(query: LogQuery): void {
  const errors = (['limit', 'cursor', 'sort'] as const)
    .filter((name) => query[name] !== undefined)
    .map((name) => ({ pointer: `/query/${name}`, message: 'is for the list; send "Accept: application/json"' }))
  if (errors.length > 0) throw new Problem('invalid_request', { errors })
}

function lastSeen(header: string | string[] | undefined): string | undefined {
  if (header === undefined || header === '') return undefined
  if (typeof header === 'string' && new RegExp(LINE_ID).test(header)) return header
  const errors = [{ pointer: '/headers/last-event-id', message: 'must be the id of an event of this stream' }]
  throw new Problem('invalid_request', { errors })
}

async function* none(): AsyncGenerator<string> {}
