import { GZIP } from '../../../http/request-headers.ts'
import { ingest, type Route } from '../../../http/route.ts'
import { Problem } from '../errors.ts'
import { EVENTS, EventResult } from './schema.ts'
import type { Events } from './service.ts'

const LINES = new Set(['application/x-ndjson', 'application/ndjson'])
const TYPES = new Set(['application/json', 'application/vnd.openlineage+json', ...LINES])

export function eventRoutes(events: Events): Route[] {
  return [
    eventRoute(events, '/lineage/events', 'sendLineageEvents', 'Take in OpenLineage events'),
    eventRoute(
      events,
      '/v1/lineage',
      'sendOpenLineageEvents',
      'Take in OpenLineage events where their clients send them'
    )
  ]
}

function eventRoute(events: Events, path: string, operationId: string, summary: string): Route {
  return ingest(
    {
      path,
      operationId,
      summary,
      description:
        'One event, an array of events, or one event a line. Those of a run may come in any order, and more than once. Good events are taken in though others are refused: look at `rejected`.',
      permission: 'lineage:write',
      stream: { mediaType: 'application/json', schema: EVENTS, encodings: GZIP },
      answer: EventResult,
      errors: ['body_incomplete', 'malformed_json', 'unsupported_media_type', 'overloaded', 'no_events_accepted']
    },
    ({ headers, raw, actor }) => {
      const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
      if (TYPES.has(type)) return events.take({ raw, actor }, LINES.has(type))
      const detail =
        'Send events with the header "Content-Type: application/json", or "application/x-ndjson" for one a line.'
      throw new Problem('unsupported_media_type', { detail })
    }
  )
}
