import type { DeleteFailure } from '../index.ts'
import { deleteEach } from '../remote/delete-each.ts'
import { type Api, objectPath } from './api.ts'

export async function deleteObjects(api: Api, bucket: string, keys: readonly string[]): Promise<DeleteFailure[]> {
  return deleteEach(keys, (key) =>
    api.status({ method: 'DELETE', path: objectPath(bucket, key), bucket, key, repeatable: true })
  )
}
