import type { ErrorCode } from '../../errors.ts'
import { etagOf } from '../../http/etag.ts'
import { change, type Route, read, StatusAnswer } from '../../http/route.ts'
import { Nothing } from '../../http/schemas.ts'
import { Source, SourceCreate, SourceDeletion, SourcePage, SourceParams, SourceQuery, SourceUpdate } from './schema.ts'
import type { Sources } from './service.ts'

export const SERIES_ERRORS = [
  'series_unavailable',
  'series_url_missing',
  'series_failed',
  'series_damaged',
  'series_busy'
] as const satisfies ErrorCode[]

export function sourceRoutes(sources: Sources): Route[] {
  return [
    read(
      {
        path: '/catalog/sources',
        operationId: 'listSources',
        summary: 'List sources of points',
        permission: 'catalog:read',
        query: SourceQuery,
        answer: SourcePage,
        errors: SERIES_ERRORS
      },
      ({ query }) => sources.list(query)
    ),
    change(
      {
        method: 'POST',
        path: '/catalog/sources',
        operationId: 'createSource',
        summary: 'Make a source',
        description: 'One is also made by the first line protocol that names it.',
        permission: 'catalog:write',
        audit: 'catalog-source.create',
        status: 201,
        body: SourceCreate,
        answer: Source,
        errors: ['name_taken']
      },
      ({ tx, actor, body }) => sources.create(tx, actor, body)
    ),
    read(
      {
        path: '/catalog/sources/:id',
        operationId: 'getSource',
        summary: 'Get one source',
        permission: 'catalog:read',
        params: SourceParams,
        answer: Source,
        errors: SERIES_ERRORS
      },
      async ({ params }) => {
        const source = await sources.get(params.id)
        // The version counts changes by people only; the figures change without it, so the answer is never 304.
        return new StatusAnswer(200, source, { etag: etagOf(source) as string })
      }
    ),
    change(
      {
        method: 'PUT',
        path: '/catalog/sources/:id',
        operationId: 'updateSource',
        summary: 'Change a source',
        description: 'Points older than a new retention are removed at once, their space is freed in whole days.',
        permission: 'catalog:write',
        audit: 'catalog-source.update',
        params: SourceParams,
        body: SourceUpdate,
        answer: Source,
        errors: ['above_clearance', 'name_taken', ...SERIES_ERRORS],
        gather: ({ params }) => sources.stats(params.id)
      },
      ({ tx, actor, params, body, gathered }) => sources.update(tx, actor, params.id, body, gathered)
    ),
    change(
      {
        method: 'DELETE',
        path: '/catalog/sources/:id',
        operationId: 'deleteSource',
        summary: 'Delete a source with all its points',
        permission: 'catalog:write',
        audit: 'catalog-source.delete',
        params: SourceParams,
        query: SourceDeletion,
        answer: Nothing,
        errors: ['in_use', ...SERIES_ERRORS],
        gather: ({ params }) => sources.stats(params.id)
      },
      ({ tx, params, query, gathered }) => sources.delete(tx, params.id, query.force === true, gathered)
    )
  ]
}
