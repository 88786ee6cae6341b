import { preferredType } from '../../http/accept.ts'
import { type Route, read } from '../../http/route.ts'
import { ANSWER_TYPES } from './answers.ts'
import type { Queries } from './queries.ts'
import { CatalogAnswer, CatalogQuery } from './query-schema.ts'
import { SERIES_ERRORS } from './source-routes.ts'

export function queryRoutes(queries: Queries): Route[] {
  return [
    read(
      {
        method: 'POST',
        path: '/catalog/query',
        operationId: 'queryCatalog',
        summary: 'Ask for the points of a source, as they are or in buckets',
        description:
          'Buckets of hours and less lie on whole multiples of their width since 1970; those of days and more begin at midnight in the zone, weeks on Mondays. Tags that the source does not have are named in `unknownTags`. Where no tags are named, those that a function has no meaning for are left out. With `Accept: text/csv` or `application/vnd.apache.arrow.stream` the answer is a table. Points can’t be masked: where a tag is classified above the caller’s clearance, name the others in `tags`. An answer that fails after it has begun is broken off.',
        permission: 'catalog:read',
        body: CatalogQuery,
        answer: CatalogAnswer,
        alsoProduces: ANSWER_TYPES.slice(1),
        errors: [
          'above_clearance',
          'not_found',
          'not_acceptable',
          'unprocessable',
          'too_many_points',
          'function_not_applicable',
          'query_timeout',
          ...SERIES_ERRORS
        ]
      },
      ({ actor, body, headers, raw }) => queries.ask(actor, body, preferredType(headers.accept, ANSWER_TYPES), raw)
    )
  ]
}
