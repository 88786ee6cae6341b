import type { ErrorCode } from '../../errors.ts'
import { perform, type Route, read, type StreamFacts } from '../../http/route.ts'
import { Nothing } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import type { Objects } from './objects.ts'
import {
  BucketParams,
  CopyCreate,
  DeletionCreate,
  DeletionResult,
  ObjectPage,
  ObjectParams,
  ObjectQuery,
  WrittenObject
} from './schema.ts'

export const STORE_ERRORS = [
  'store_failed',
  'store_timeout',
  'object_index_damaged',
  'objects_url_missing'
] as const satisfies ErrorCode[]
const WRITE_ERRORS = [
  ...STORE_ERRORS,
  'store_full',
  'precondition_failed',
  'body_incomplete',
  'checksum_mismatch'
] as const satisfies ErrorCode[]

const FORM: StreamFacts = {
  mediaType: 'multipart/form-data',
  schema: {
    type: 'object',
    required: ['file'],
    properties: {
      file: { type: 'string', format: 'binary', description: 'The content' },
      key: { type: 'string', description: 'Key; the file’s name if not said, a folder for it if it ends in a slash' }
    }
  }
}
export const RAW: StreamFacts = { mediaType: '*/*', schema: { type: 'string', format: 'binary' } }
export const BYTES = Type.Unsafe<never>({ type: 'string', format: 'binary', description: 'The content itself' })
export const DOWNLOAD_ERRORS = [
  ...STORE_ERRORS,
  'above_clearance',
  'object_damaged',
  'precondition_failed',
  'range_not_satisfiable'
] as const satisfies ErrorCode[]

export function objectRoutes(objects: Objects): Route[] {
  return [
    read(
      {
        path: '/buckets/:name/objects',
        operationId: 'listObjects',
        summary: 'List the objects right under a prefix, and its folders',
        permission: 'buckets:read',
        params: BucketParams,
        query: ObjectQuery,
        answer: ObjectPage,
        errors: STORE_ERRORS
      },
      ({ params, query }) => objects.list(params.name, query)
    ),
    perform(
      {
        method: 'POST',
        path: '/buckets/:name/objects',
        operationId: 'uploadObject',
        summary: 'Upload an object with a form',
        description:
          '`file` and `key` may come in any order. `If-None-Match: *` refuses to overwrite; `Content-MD5` and `Repr-Digest` are checked. The old object stays whole until the new one is.',
        permission: 'buckets:write',
        audit: 'object.create',
        status: 201,
        params: BucketParams,
        stream: FORM,
        conditions: ['if-match', 'if-none-match'],
        answer: WrittenObject,
        errors: [...WRITE_ERRORS, 'malformed_form'],
        isSame: ({ raw }, answered) => objects.isSameForm(raw, answered)
      },
      ({ params, raw }) => objects.putForm(params.name, raw)
    ),
    perform(
      {
        method: 'PUT',
        path: '/buckets/:name/objects/:key',
        operationId: 'putObject',
        summary: 'Upload an object as it is',
        description:
          'The body is the content. `If-None-Match: *` refuses to overwrite, `If-Match` overwrites only what you have seen.',
        permission: 'buckets:write',
        audit: 'object.create',
        status: 201,
        params: ObjectParams,
        stream: RAW,
        conditions: ['if-match', 'if-none-match'],
        answer: WrittenObject,
        errors: WRITE_ERRORS
      },
      ({ params, raw }) => objects.putRaw(params.name, params.key, raw)
    ),
    read(
      {
        path: '/buckets/:name/objects/:key',
        operationId: 'downloadObject',
        summary: 'Download an object',
        description:
          'Takes `Range`, `If-Range`, `If-Match`, `If-None-Match`, `If-Modified-Since` and `If-Unmodified-Since`; `HEAD` answers the headers alone. A key whose last part is `url` is written with `%2F` before it.',
        permission: 'buckets:read',
        params: ObjectParams,
        answer: BYTES,
        otherStatuses: [206, 304],
        produces: 'application/octet-stream',
        errors: DOWNLOAD_ERRORS
      },
      ({ actor, params, headers, method }) => objects.download(actor, params.name, params.key, { headers, method })
    ),
    perform(
      {
        method: 'DELETE',
        path: '/buckets/:name/objects/:key',
        operationId: 'deleteObject',
        summary: 'Delete an object',
        permission: 'buckets:write',
        audit: 'object.delete',
        params: ObjectParams,
        answer: Nothing,
        errors: [...STORE_ERRORS, 'store_full']
      },
      ({ params }) => objects.delete(params.name, params.key)
    ),
    perform(
      {
        method: 'POST',
        path: '/buckets/:name/deletions',
        operationId: 'deleteObjects',
        summary: 'Delete up to 1,000 objects',
        description: 'What is not there counts as deleted, so the whole can be sent again.',
        permission: 'buckets:write',
        audit: 'object.delete',
        params: BucketParams,
        body: DeletionCreate,
        answer: DeletionResult,
        errors: [...STORE_ERRORS, 'store_full']
      },
      ({ params, body }) => objects.deleteMany(params.name, body)
    ),
    perform(
      {
        method: 'POST',
        path: '/buckets/:name/copies',
        operationId: 'copyObject',
        summary: 'Copy an object into the bucket',
        description:
          'Within a provider the bytes do not pass through the server. `If-None-Match: *` refuses to overwrite.',
        permission: 'buckets:write',
        audit: 'object.create',
        status: 201,
        params: BucketParams,
        body: CopyCreate,
        conditions: ['if-match', 'if-none-match'],
        answer: WrittenObject,
        errors: [...STORE_ERRORS, 'above_clearance', 'object_damaged', 'store_full', 'precondition_failed']
      },
      ({ actor, params, body, headers }) => objects.copy(actor, params.name, body, headers)
    )
  ]
}
