import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { ObjectAddress, PutOptions, StoredObject, StoredPart } from '../index.ts'
import type { UploadBody } from '../upload-body.ts'
import type { StoreClient } from './client.ts'
import { writeIf } from './conditions.ts'
import { storedObject } from './facts.ts'
import { abortUpload, completeUpload, sendPart, startUpload } from './multipart.ts'
import { partsOf } from './parts.ts'
import { signedAs } from './payload-hash.ts'

/** In one request where the content fits into a part, else as parts that become the object all at once. */
export async function putObject(
  client: StoreClient,
  at: ObjectAddress,
  body: UploadBody,
  options: PutOptions
): Promise<StoredObject> {
  const parts = partsOf(body)
  try {
    const begun = await begin(parts)
    const [only] = begun.length === 1 ? begun : []
    if (only !== undefined) return await putWhole(client, at, only, body, options)
    return await putInParts(client, at, following(begun, parts), options)
  } finally {
    // Whoever sends it has to learn that nobody takes the rest.
    await parts.return(undefined)
  }
}

async function putInParts(
  client: StoreClient,
  at: ObjectAddress,
  parts: AsyncIterable<Buffer>,
  options: PutOptions
): Promise<StoredObject> {
  const upload = { ...at, uploadId: await startUpload(client, at, { ContentType: options.contentType }) }
  const sent: StoredPart[] = []
  let sending = Promise.resolve()
  const send = async (part: Buffer) => {
    sent.push(await sendPart(client, upload, sent.length + 1, part))
  }
  try {
    for await (const part of parts) {
      await sending
      sending = send(part)
      sending.catch(() => {}) // told above or below
    }
    await sending
    return await completeUpload(client, upload, sent, options)
  } catch (error) {
    await sending.catch(() => {})
    // Why it failed matters more than what is left behind.
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

async function begin(parts: AsyncGenerator<Buffer>): Promise<Buffer[]> {
  const begun: Buffer[] = []
  while (begun.length < 2) {
    const next = await parts.next()
    if (next.done === true) break
    begun.push(next.value)
  }
  return begun
}

/** Holds on to none that it has given out: they are most of the memory that an upload takes. */
async function* following(begun: Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for (let part = begun.shift(); part !== undefined; part = begun.shift()) yield part
  yield* rest
}
