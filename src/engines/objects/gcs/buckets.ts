import { StoreError } from '../errors.ts'
import { type Api, bucketPath, jsonBody } from './api.ts'
import { listObjects } from './list.ts'
import { removeParts } from './parts.ts'

export interface Project {
  readonly projectId: string | undefined
  /** The location of new buckets; undefined: the default of the project. */
  readonly location: string | undefined
  /** Whether the server needs no credentials, so that there is no project. */
  readonly open: boolean
}

export async function createBucket(api: Api, bucket: string, { projectId, location, open }: Project): Promise<void> {
  if (projectId === undefined && !open) {
    throw new StoreError('access_denied', 'The project of the account is not known; give the whole JSON key file')
  }
  const status = await api.status({
    method: 'POST',
    path: '/storage/v1/b',
    query: { project: projectId ?? 'none' },
    ...jsonBody({ name: bucket, location }),
    bucket,
    accept: [409]
  })
  if (status !== 409) return
  const query = { fields: 'name' }
  const seen = { method: 'GET', path: bucketPath(bucket), query, bucket, accept: [403, 404], repeatable: true }
  // Names of buckets are global, so it may belong to somebody else.
  if ((await api.status(seen)) !== 200) {
    throw new StoreError('bucket_taken', `Somebody else has a bucket ${bucket}; choose another name`)
  }
}

export async function deleteBucket(api: Api, bucket: string): Promise<void> {
  const { entries } = await listObjects(api, bucket, { prefix: '', folders: false, limit: 1 })
  const notEmpty = new StoreError('bucket_not_empty', `The bucket ${bucket} still holds objects; delete them first`)
  if (entries.length > 0) throw notEmpty
  await removeParts(api, bucket)
  const status = await api.status({ method: 'DELETE', path: bucketPath(bucket), bucket, accept: [409] })
  if (status === 409) throw notEmpty
}
