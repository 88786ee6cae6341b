import type { WriteFormat } from '../../engines/series/index.ts'
import { GZIP } from '../../http/request-headers.ts'
import { ingest, type Route } from '../../http/route.ts'
import { type ErrorCode, Problem } from './errors.ts'
import { SourceParams } from './schema.ts'
import type { SourceFinder } from './source-finder.ts'
import { POINTS, PointsQuery, WriteResult } from './write-schema.ts'
import type { Writes } from './writes.ts'

export const WRITE_ERRORS = [
  'body_incomplete',
  'malformed_points',
  'unsupported_media_type',
  'series_busy',
  'series_unavailable',
  'series_url_missing',
  'series_failed',
  'series_damaged',
  'series_full'
] as const satisfies ErrorCode[]

const FORMATS: Readonly<Record<string, WriteFormat>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson'
}

export function writeRoutes(writes: Writes, finder: SourceFinder): Route[] {
  return [
    ingest(
      {
        path: '/catalog/sources/:id/points',
        operationId: 'writePoints',
        summary: 'Write points as JSON or NDJSON',
        description:
          'An answer of 200 means that `accepted` points are durable; look at `rejected`, for good points are written though others are not. 400 means that none was. Of two points of a tag with the same time the one written last counts, so sending a write again is safe. As `application/x-ndjson` the body is one point a line. `Content-Encoding: gzip` is understood; unpacked, a body may have four times the bytes that may be sent.',
        permission: 'catalog:write',
        params: SourceParams,
        query: PointsQuery,
        stream: { mediaType: 'application/json', schema: POINTS, encodings: GZIP },
        answer: WriteResult,
        errors: ['no_points_accepted', ...WRITE_ERRORS]
      },
      async ({ params, query, headers, raw, actor }) => {
        const format = formatOf(headers['content-type'])
        const sourceId = await finder.byId(params.id)
        const written = await writes.write({ raw, actor }, { sourceId, format, precision: query.precision ?? 'ns' })
        if (written.accepted === 0 && written.rejected > 0) {
          throw new Problem('no_points_accepted', { members: { ...written } })
        }
        return { ...written, errors: [...written.errors] }
      }
    )
  ]
}

function formatOf(contentType: string | undefined): WriteFormat {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const format = Object.hasOwn(FORMATS, type) ? FORMATS[type] : undefined
  if (format !== undefined) return format
  const detail = 'Send the points with the header "Content-Type: application/json" or "application/x-ndjson".'
  throw new Problem('unsupported_media_type', { detail })
}
