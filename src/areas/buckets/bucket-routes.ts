import { perform, type Route, read } from '../../http/route.ts'
import { Nothing } from '../../http/schemas.ts'
import { Bucket, BucketCreate, BucketDeletion, BucketPage, BucketParams, BucketQuery } from './schema.ts'
import type { Buckets } from './service.ts'

export function bucketRoutes(buckets: Buckets): Route[] {
  return [
    read(
      {
        path: '/buckets',
        operationId: 'listBuckets',
        summary: 'List buckets',
        permission: 'buckets:read',
        query: BucketQuery,
        answer: BucketPage,
        madeFrom: ['buckets', 'classification_resources']
      },
      ({ query }) => buckets.list(query)
    ),
    perform(
      {
        method: 'POST',
        path: '/buckets',
        operationId: 'createBucket',
        summary: 'Make a bucket',
        description:
          'A bucket that the provider’s account already owns under this name is taken over with what is in it.',
        permission: 'buckets:write',
        audit: 'bucket.create',
        status: 201,
        body: BucketCreate,
        answer: Bucket,
        errors: ['name_taken', 'store_failed', 'store_timeout', 'store_full', 'objects_url_missing']
      },
      ({ actor, body }) => buckets.create(actor, body)
    ),
    read(
      {
        path: '/buckets/:name',
        operationId: 'getBucket',
        summary: 'Get one bucket',
        permission: 'buckets:read',
        params: BucketParams,
        answer: Bucket,
        madeFrom: ['buckets', 'classification_resources']
      },
      ({ params }) => buckets.get(params.name)
    ),
    perform(
      {
        method: 'DELETE',
        path: '/buckets/:name',
        operationId: 'deleteBucket',
        summary: 'Delete a bucket',
        permission: 'buckets:write',
        audit: 'bucket.delete',
        params: BucketParams,
        query: BucketDeletion,
        answer: Nothing,
        errors: ['in_use', 'bucket_not_empty', 'store_failed', 'store_timeout', 'objects_url_missing']
      },
      ({ params, query }) => buckets.delete(params.name, query.force === true)
    )
  ]
}
