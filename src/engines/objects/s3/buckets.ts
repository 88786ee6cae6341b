import { BucketAlreadyOwnedByYou, CreateBucketCommand, DeleteBucketCommand } from '@aws-sdk/client-s3'
import type { StoreClient } from './client.ts'

export async function createBucket(client: StoreClient, bucket: string): Promise<void> {
  const command = new CreateBucketCommand({ Bucket: bucket })
  if (!client.isAmazon) withoutLocation(command)
  await client.call({ bucket, needs: 's3:CreateBucket' }, async (sdk) => {
    try {
      await sdk.send(command)
    } catch (error) {
      if (!(error instanceof BucketAlreadyOwnedByYou)) throw error
    }
  })
}

export async function deleteBucket(client: StoreClient, bucket: string): Promise<void> {
  await client.call({ bucket, needs: 's3:DeleteBucket' }, (sdk) =>
    sdk.send(new DeleteBucketCommand({ Bucket: bucket }))
  )
}

/** Removes the region, which the client adds as the location of the bucket: other stores only use it for signatures. */
function withoutLocation(command: CreateBucketCommand): void {
  command.middlewareStack.add(
    (next) => (args) => {
      const { CreateBucketConfiguration: _, ...input } = args.input
      return next({ ...args, input })
    },
    { step: 'initialize', priority: 'low', name: 'withoutLocation' }
  )
}
