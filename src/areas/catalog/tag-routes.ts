import { etagOf } from '../../http/etag.ts'
import { change, perform, type Route, read, StatusAnswer } from '../../http/route.ts'
import { Nothing } from '../../http/schemas.ts'
import { SourceParams } from './schema.ts'
import { SERIES_ERRORS } from './source-routes.ts'
import { Tag, TagPage, TagParams, TagQuery, TagUpdate } from './tag-schema.ts'
import type { Tags } from './tags.ts'

export function tagRoutes(tags: Tags): Route[] {
  return [
    read(
      {
        path: '/catalog/sources/:id/tags',
        operationId: 'listTags',
        summary: 'List the tags of a source',
        description: 'Tags appear by themselves when points of them are written.',
        permission: 'catalog:read',
        params: SourceParams,
        query: TagQuery,
        answer: TagPage,
        errors: SERIES_ERRORS
      },
      (asker) => tags.list(asker, asker.params.id, asker.query)
    ),
    read(
      {
        path: '/catalog/sources/:id/tags/:name',
        operationId: 'getTag',
        summary: 'Get one tag',
        permission: 'catalog:read',
        params: TagParams,
        answer: Tag,
        errors: SERIES_ERRORS
      },
      async (asker) => {
        const tag = await tags.get(asker, asker.params.id, asker.params.name)
        return new StatusAnswer(200, tag, { etag: etagOf(tag) as string })
      }
    ),
    change(
      {
        method: 'PUT',
        path: '/catalog/sources/:id/tags/:name',
        operationId: 'updateTag',
        summary: 'Say what a tag measures',
        permission: 'catalog:write',
        audit: 'catalog-tag.update',
        params: TagParams,
        body: TagUpdate,
        answer: Tag,
        errors: SERIES_ERRORS,
        gather: (asker) => tags.find(asker, asker.params.id, asker.params.name)
      },
      ({ tx, params, body, gathered }) => tags.update(tx, params.id, params.name, body, gathered)
    ),
    perform(
      {
        method: 'DELETE',
        path: '/catalog/sources/:id/tags/:name',
        operationId: 'deleteTag',
        summary: 'Delete a tag with all its points',
        description:
          'Its type goes with it: the next point of that name makes a tag anew, of whatever type it is. What is being written meanwhile is deleted or kept as a whole. Space is freed later.',
        permission: 'catalog:write',
        audit: 'catalog-tag.delete',
        params: TagParams,
        conditions: ['if-match'],
        answer: Nothing,
        errors: ['stale_version', ...SERIES_ERRORS]
      },
      ({ params, headers }) => tags.delete(params.id, params.name, headers['if-match'])
    )
  ]
}
