import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { ObjectAddress, PutOptions, StoredObject, StoredPart } from '../index.ts'
import { putDivided, sendEach } from '../remote/blocks.ts'
import type { UploadBody } from '../upload-body.ts'
import type { StoreClient } from './client.ts'
import { writeIf } from './conditions.ts'
import { storedObject } from './facts.ts'
import { abortUpload, completeUpload, sendPart, startUpload } from './multipart.ts'
import { partBytes } from './parts.ts'
import { signedAs } from './payload-hash.ts'

/** In one request where the content fits into a part, else as parts that are joined at the end. */
export async function putObject(
  client: StoreClient,
  at: ObjectAddress,
  body: UploadBody,
  options: PutOptions
): Promise<StoredObject> {
  return putDivided(
    body,
    (number) => partBytes(number, body.sizeBytes),
    (content) => putWhole(client, at, content, body, options),
    (parts) => putInParts(client, at, parts, options)
  )
}

async function putInParts(
  client: StoreClient,
  at: ObjectAddress,
  parts: AsyncIterable<Buffer>,
  options: PutOptions
): Promise<StoredObject> {
  const upload = { ...at, uploadId: await startUpload(client, at, { ContentType: options.contentType }) }
  const sent: StoredPart[] = []
  try {
    await sendEach(parts, async (part, index) => {
      sent.push(await sendPart(client, upload, index + 1, part))
    })
    return await completeUpload(client, upload, sent, options)
  } catch (error) {
    // The reason of the failure matters more than leftover parts.
    await abortUpload(client, upload).catch(() => {})
    throw error
  }
}

async function putWhole(
  client: StoreClient,
  at: ObjectAddress,
  content: Buffer,
  body: UploadBody,
  options: PutOptions
): Promise<StoredObject> {
  const { sha256 } = await body.digests()
  const { bucket, key } = at
  const facts = { ContentType: options.contentType, Metadata: { sha256 } }
  const stored = await writeIf(client, at, options, (headers) =>
    client.call({ bucket, key, needs: 's3:PutObject' }, (sdk) =>
      sdk.send(
        signedAs(sha256, new PutObjectCommand({ Bucket: bucket, Key: key, Body: content, ...facts, ...headers }))
      )
    )
  )
  return storedObject(key, content.length, { ...facts, ETag: stored.ETag, LastModified: client.timeOf(stored) })
}
