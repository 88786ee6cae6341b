import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadRequest,
  ListPartsCommand,
  UploadPartCommand
} from '@aws-sdk/client-s3'
import { StoreError } from '../errors.ts'
import type { ObjectAddress, PutOptions, StoredObject, StoredPart, UploadAddress } from '../index.ts'
import { blocksOf } from '../remote/blocks.ts'
import { chunksOf, type UploadBody } from '../upload-body.ts'
import type { StoreClient } from './client.ts'
import { checkConditions, writeIf } from './conditions.ts'
import { notS3, toStoreError } from './errors.ts'
import { headObject, quoted, storedObject } from './facts.ts'
import { PART_BYTES } from './parts.ts'
import { signedAs, UNSIGNED } from './payload-hash.ts'

const NEEDS = 's3:PutObject'

export async function startUpload(
  client: StoreClient,
  { bucket, key }: ObjectAddress,
  facts: Omit<CreateMultipartUploadRequest, 'Bucket' | 'Key'>
): Promise<string> {
  const { UploadId } = await client.call({ bucket, key, needs: NEEDS }, (sdk) =>
    sdk.send(new CreateMultipartUploadCommand({ ...facts, Bucket: bucket, Key: key }))
  )
  if (UploadId === undefined) throw notS3()
  return UploadId
}

/** Content in memory can be sent again, a stream can't. */
export async function putPart(
  client: StoreClient,
  upload: UploadAddress,
  number: number,
  body: UploadBody
): Promise<StoredPart> {
  if ((body.sizeBytes ?? 0) > PART_BYTES) return passPart(client, upload, number, body)
  const parts = blocksOf(body, () => PART_BYTES)
  const content: Buffer = (await parts.next()).value
  if ((await parts.next()).done === true) return sendPart(client, upload, number, content)
  await parts.return(undefined)
  throw new StoreError('invalid_part', `Part ${number} has more than ${PART_BYTES} bytes; announce its size to send it`)
}

export async function sendPart(
  client: StoreClient,
  upload: UploadAddress,
  number: number,
  content: Buffer
): Promise<StoredPart> {
  const command = partCommand(upload, number, content, content.length)
  return call(client, upload, number, content.length, client.isSecure ? signedAs(UNSIGNED, command) : command)
}

async function passPart(
  client: StoreClient,
  upload: UploadAddress,
  number: number,
  body: UploadBody
): Promise<StoredPart> {
  const sizeBytes = body.sizeBytes ?? 0
  async function* content() {
    yield* chunksOf(body)
    if ((await body.digests()).sizeBytes === sizeBytes) return
    throw new StoreError('invalid_part', `Part ${number} does not have the ${sizeBytes} bytes that were announced`)
  }
  const stream = Readable.from(content(), { objectMode: false })
  try {
    return await call(client, upload, number, sizeBytes, partCommand(upload, number, stream, sizeBytes))
  } finally {
    stream.destroy()
  }
}

function partCommand({ bucket, key, uploadId }: UploadAddress, number: number, body: Buffer | Readable, bytes: number) {
  const address = { Bucket: bucket, Key: key, UploadId: uploadId, PartNumber: number }
  return new UploadPartCommand({ ...address, Body: body, ContentLength: bytes })
}

async function call(
  client: StoreClient,
  { bucket, key }: UploadAddress,
  number: number,
  sizeBytes: number,
  command: UploadPartCommand
): Promise<StoredPart> {
  const { ETag } = await client.call({ bucket, key, needs: NEEDS }, (sdk) => sdk.send(command))
  return { number, sizeBytes, etag: quoted(ETag) }
}

export async function completeUpload(
  client: StoreClient,
  upload: UploadAddress,
  parts: readonly StoredPart[],
  options: PutOptions
): Promise<StoredObject> {
  const { bucket, key, uploadId } = upload
  // Ceph ignores conditions here.
  await checkConditions(client, upload, options)
  const named = { Parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag })) }
  const input = { Bucket: bucket, Key: key, UploadId: uploadId, MultipartUpload: named }
  const completed = await writeIf(client, upload, options, (headers) =>
    client.call({ bucket, key, needs: NEEDS }, (sdk) =>
      sdk.send(new CompleteMultipartUploadCommand({ ...input, ...headers }))
    )
  ).catch(async (error) => {
    // Ceph answers an internal error for an upload that does not exist any more.
    if (error instanceof StoreError && error.code === 'store_failed') await findUpload(client, upload)
    throw error
  })
  // Ceph leaves the tag empty.
  if (completed.ETag === undefined || completed.ETag === '') return headObject(client, upload)
  const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0)
  const facts = { ETag: completed.ETag, LastModified: client.timeOf(completed), ContentType: options.contentType }
  return storedObject(key, sizeBytes, facts)
}

async function findUpload(client: StoreClient, { bucket, key, uploadId }: UploadAddress): Promise<void> {
  const command = new ListPartsCommand({ Bucket: bucket, Key: key, UploadId: uploadId, MaxParts: 1 })
  const subject = { bucket, key, needs: 's3:ListMultipartUploadParts' }
  await client
    .call(subject, (sdk) => sdk.send(command))
    .catch((error: StoreError) => {
      throw error.code === 'no_such_key' ? toStoreError({ name: 'NoSuchUpload' }, subject) : error
    })
}

export async function abortUpload(client: StoreClient, { bucket, key, uploadId }: UploadAddress): Promise<void> {
  const subject = { bucket, key, needs: 's3:AbortMultipartUpload' }
  try {
    await client.call(subject, (sdk) =>
      sdk.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId }))
    )
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'no_such_upload') throw error
  }
}
