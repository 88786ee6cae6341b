import { createHash } from 'node:crypto'
import { DeleteObjectCommand, DeleteObjectsCommand } from '@aws-sdk/client-s3'
import { StoreError } from '../errors.ts'
import type { DeleteFailure } from '../index.ts'
import type { StoreClient } from './client.ts'
import { toStoreError } from './errors.ts'
import type { WireRequest } from './http-handler.ts'

export async function deleteObjects(
  client: StoreClient,
  bucket: string,
  keys: readonly string[]
): Promise<readonly DeleteFailure[]> {
  const [key] = keys
  if (key === undefined) return []
  if (keys.length > 1) return deleteSeveral(client, bucket, keys)
  try {
    await client.call({ bucket, key, needs: 's3:DeleteObject' }, (sdk) =>
      sdk.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
    )
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'no_such_key') throw error
  }
  return []
}

async function deleteSeveral(
  client: StoreClient,
  bucket: string,
  keys: readonly string[]
): Promise<readonly DeleteFailure[]> {
  const objects = keys.map((key) => ({ Key: key }))
  const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: objects, Quiet: true } })
  withMd5(command)
  const { Errors = [] } = await client.call({ bucket, needs: 's3:DeleteObject' }, (sdk) => sdk.send(command))
  return Errors.filter(({ Code }) => Code !== 'NoSuchKey').map(({ Key: key = '', Code: name = '' }) => {
    const { code, message } = toStoreError({ name }, { bucket, key, needs: 's3:DeleteObject' })
    return { key, code, message }
  })
}

/** Adds the one checksum of this request that every store knows; many refuse it without. */
function withMd5(command: DeleteObjectsCommand): void {
  command.middlewareStack.add(
    (next) => (args) => {
      const { headers, body } = args.request as WireRequest
      for (const name of Object.keys(headers)) if (/^x-amz-(sdk-)?checksum-/.test(name)) delete headers[name]
      headers['content-md5'] = createHash('md5').update(String(body)).digest('base64')
      return next(args)
    },
    { step: 'build', priority: 'low', name: 'withMd5' }
  )
}
