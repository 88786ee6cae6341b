import { change, perform, type Route, read } from '../../http/route.ts'
import { Nothing } from '../../http/schemas.ts'
import type { Links } from './links.ts'
import { BYTES, DOWNLOAD_ERRORS, STORE_ERRORS } from './object-routes.ts'
import {
  BucketParams,
  Link,
  LinkCreate,
  LinkPage,
  LinkParams,
  LinkQuery,
  LinkUrl,
  LinkUrlQuery,
  LinkUseParams,
  LinkUseQuery,
  NewLink,
  ObjectParams
} from './schema.ts'

export function linkRoutes(links: Links): Route[] {
  return [
    perform(
      {
        method: 'GET',
        path: '/buckets/:name/objects/:key/url',
        operationId: 'getObjectUrl',
        summary: 'Make a link that reads the object without a token',
        description:
          'The provider’s own link where it has them and everybody may see the object, else one that this server answers. To be able to revoke it and to see how often it was used, make it with `POST /api/buckets/{name}/links`.',
        permission: 'buckets:read',
        audit: 'link.create',
        params: ObjectParams,
        query: LinkUrlQuery,
        answer: LinkUrl,
        errors: [...STORE_ERRORS, 'above_clearance']
      },
      ({ actor, params, query, headers }) => links.url(actor, params.name, params.key, query, headers.host)
    ),
    read(
      {
        path: '/buckets/:name/links',
        operationId: 'listLinks',
        summary: 'List the links to objects of the bucket',
        description: 'Without the links themselves; until a week after they have expired.',
        permission: 'buckets:read',
        params: BucketParams,
        query: LinkQuery,
        answer: LinkPage
      },
      ({ params, query }) => links.list(params.name, query)
    ),
    perform(
      {
        method: 'POST',
        path: '/buckets/:name/links',
        operationId: 'createLink',
        summary: 'Make a link that is counted and can be revoked',
        permission: 'buckets:write',
        audit: 'link.create',
        status: 201,
        params: BucketParams,
        body: LinkCreate,
        answer: NewLink,
        errors: [...STORE_ERRORS, 'above_clearance']
      },
      ({ actor, params, body, headers }) => links.create(actor, params.name, body, headers.host)
    ),
    read(
      {
        path: '/buckets/:name/links/:id',
        operationId: 'getLink',
        summary: 'Get one link, without the link itself',
        permission: 'buckets:read',
        params: LinkParams,
        answer: Link
      },
      ({ params }) => links.get(params.name, params.id)
    ),
    change(
      {
        method: 'DELETE',
        path: '/buckets/:name/links/:id',
        operationId: 'revokeLink',
        summary: 'Revoke a link',
        description: 'The next request with it is refused, on every replica.',
        permission: 'buckets:write',
        audit: 'link.revoke',
        params: LinkParams,
        answer: Nothing,
        errors: ['link_not_revocable']
      },
      ({ tx, params }) => links.revoke(tx, params.name, params.id)
    ),
    read(
      {
        path: '/buckets/:name/links/:id/:key',
        operationId: 'useLink',
        summary: 'Read an object through a link',
        description:
          'Takes `Range` and conditions like a download. Every `GET` counts as a use, `HEAD` does not. It shows nothing whose level has become stricter since it was made.',
        permission: 'public',
        refusal: 'link_refused',
        params: LinkUseParams,
        query: LinkUseQuery,
        answer: BYTES,
        otherStatuses: [206, 304],
        produces: 'application/octet-stream',
        errors: [...DOWNLOAD_ERRORS, 'link_refused', 'link_expired', 'rate_limited']
      },
      ({ params, query, headers, method }) => links.use(params, query, { headers, method })
    )
  ]
}
