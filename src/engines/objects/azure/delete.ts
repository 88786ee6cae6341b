import type { DeleteFailure } from '../index.ts'
import { deleteEach } from '../remote/delete-each.ts'
import type { AzureClient } from './client.ts'

export async function deleteObjects(
  client: AzureClient,
  bucket: string,
  keys: readonly string[]
): Promise<DeleteFailure[]> {
  return deleteEach(keys, (key) => {
    const at = { bucket, key }
    return client.call(at, () => client.blob(at).delete({ deleteSnapshots: 'include' }))
  })
}
