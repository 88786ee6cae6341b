import { StoreError } from '../errors.ts'
import type { AzureClient } from './client.ts'
import { vendorCode } from './errors.ts'
import { listObjects } from './list.ts'

export async function createBucket(client: AzureClient, bucket: string): Promise<void> {
  await client.call({ bucket }, async () => {
    try {
      await client.container(bucket).create()
    } catch (error) {
      const code = vendorCode(error)
      if (code === 'ContainerBeingDeleted') throw beingRemoved(bucket)
      // Names are unique per account, so the container belongs to this account.
      if (code !== 'ContainerAlreadyExists') throw error
    }
  })
}

/** The service removes containers with all contents, so an object put in after the check is lost. */
export async function deleteBucket(client: AzureClient, bucket: string): Promise<void> {
  const { entries } = await listObjects(client, bucket, { prefix: '', folders: false, limit: 1 })
  if (entries.length > 0) throw new StoreError('bucket_not_empty', `${bucket} still holds objects; delete them first`)
  await client.call({ bucket }, () => client.container(bucket).delete())
}

function beingRemoved(bucket: string): StoreError {
  return new StoreError('bucket_taken', `Azure is still removing an earlier ${bucket}; try again in a minute or two`)
}
