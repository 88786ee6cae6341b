import { perform, type Route, read } from '../../http/route.ts'
import { Nothing } from '../../http/schemas.ts'
import { RAW, STORE_ERRORS } from './object-routes.ts'
import {
  BucketParams,
  Part,
  PartParams,
  Upload,
  UploadComplete,
  UploadCreate,
  UploadPage,
  UploadParams,
  UploadQuery,
  WrittenObject
} from './schema.ts'
import type { Uploads } from './uploads.ts'

export function uploadRoutes(uploads: Uploads): Route[] {
  return [
    read(
      {
        path: '/buckets/:name/uploads',
        operationId: 'listUploads',
        summary: 'List uploads in parts that are not complete',
        permission: 'buckets:read',
        params: BucketParams,
        query: UploadQuery,
        answer: UploadPage
      },
      ({ params, query }) => uploads.list(params.name, query)
    ),
    perform(
      {
        method: 'POST',
        path: '/buckets/:name/uploads',
        operationId: 'startUpload',
        summary: 'Begin an upload in parts',
        description: 'It can be continued for seven days; then it is given up.',
        permission: 'buckets:write',
        audit: 'upload.create',
        status: 201,
        params: BucketParams,
        body: UploadCreate,
        answer: Upload,
        errors: STORE_ERRORS
      },
      ({ actor, params, body }) => uploads.start(actor, params.name, body)
    ),
    read(
      {
        path: '/buckets/:name/uploads/:id',
        operationId: 'getUpload',
        summary: 'Get an upload with the parts that have arrived',
        permission: 'buckets:read',
        params: UploadParams,
        answer: Upload
      },
      ({ params }) => uploads.get(params.name, params.id)
    ),
    perform(
      {
        method: 'PUT',
        path: '/buckets/:name/uploads/:id/parts/:number',
        operationId: 'putUploadPart',
        summary: 'Send a part',
        description: 'In any order, several at once, and again: the last one with a number counts.',
        permission: 'buckets:write',
        audit: 'upload.update',
        params: PartParams,
        stream: RAW,
        answer: Part,
        errors: [...STORE_ERRORS, 'store_full', 'body_incomplete', 'checksum_mismatch']
      },
      ({ params, raw }) => uploads.putPart(params.name, params.id, params.number, raw)
    ),
    perform(
      {
        method: 'POST',
        path: '/buckets/:name/uploads/:id/complete',
        operationId: 'completeUpload',
        summary: 'Make the object of the parts',
        permission: 'buckets:write',
        audit: 'object.create',
        status: 201,
        params: UploadParams,
        body: UploadComplete,
        conditions: ['if-match', 'if-none-match'],
        answer: WrittenObject,
        errors: [...STORE_ERRORS, 'store_full', 'precondition_failed', 'upload_incomplete']
      },
      ({ params, body, headers }) => uploads.complete(params.name, params.id, body, headers)
    ),
    perform(
      {
        method: 'DELETE',
        path: '/buckets/:name/uploads/:id',
        operationId: 'abortUpload',
        summary: 'Give an upload up',
        permission: 'buckets:write',
        audit: 'upload.delete',
        params: UploadParams,
        answer: Nothing,
        errors: STORE_ERRORS
      },
      ({ params }) => uploads.abort(params.name, params.id)
    )
  ]
}
