import { CopyObjectCommand, type HeadObjectCommandOutput, UploadPartCopyCommand } from '@aws-sdk/client-s3'
import { StoreError } from '../errors.ts'
import type { ObjectAddress, StoredObject, StoredPart, UploadAddress, WriteConditions } from '../index.ts'
import type { StoreClient } from './client.ts'
import { checkConditions, writeIf } from './conditions.ts'
import { changed } from './errors.ts'
import { headObject, headOf, quoted, storedObject } from './facts.ts'
import { encode } from './http-handler.ts'
import { abortUpload, completeUpload, startUpload } from './multipart.ts'

export interface CopyLimits {
  /** Amazon copies no more than this in one request. */
  readonly wholeBytes: number
  readonly partBytes: number
}

const GIB = 1024 ** 3
/** With these parts there is room for 10 TB. */
const LIMITS: CopyLimits = { wholeBytes: 5 * GIB, partBytes: GIB }
const PARTS_AT_A_TIME = 4

export async function copyObject(
  client: StoreClient,
  from: ObjectAddress,
  to: ObjectAddress,
  conditions: WriteConditions,
  limits: CopyLimits = LIMITS
): Promise<StoredObject> {
  const source = await headOf(client, from)
  // Ceph ignores conditions here.
  await checkConditions(client, to, conditions)
  const sizeBytes = source.ContentLength ?? 0
  // Stores refuse this copy, and nothing has to be done.
  if (from.bucket === to.bucket && from.key === to.key) return storedObject(to.key, sizeBytes, source)
  const inParts = () => copyInParts(client, from, to, source, conditions, limits.partBytes)
  const isLarge = sizeBytes > limits.wholeBytes
  if (isLarge && client.isAmazon) return inParts()
  try {
    return await copyWhole(client, from, to, source, conditions)
  } catch (error) {
    // Other stores have other limits: Ceph has none, and crashes on a copy in parts of a key that has to be encoded.
    if (isLarge && error instanceof StoreError && error.code === 'store_failed') return inParts()
    throw error
  }
}

async function copyWhole(
  client: StoreClient,
  from: ObjectAddress,
  to: ObjectAddress,
  source: HeadObjectCommandOutput,
  conditions: WriteConditions
): Promise<StoredObject> {
  const { CopyObjectResult: result } = await writeIf(client, to, conditions, (headers) =>
    client.call({ ...to, needs: 's3:PutObject' }, (sdk) =>
      sdk.send(new CopyObjectCommand({ Bucket: to.bucket, Key: to.key, ...sourceOf(from, source), ...headers }))
    )
  )
  // An object that was put in parts can get another tag; and Ceph does not lock the source meanwhile.
  if (quoted(result?.ETag) !== quoted(source.ETag)) return headObject(client, to)
  return storedObject(to.key, source.ContentLength ?? 0, { ...source, LastModified: result?.LastModified })
}

function sourceOf({ bucket, key }: ObjectAddress, { ETag }: HeadObjectCommandOutput) {
  return { CopySource: `${bucket}/${key.split('/').map(encode).join('/')}`, CopySourceIfMatch: quoted(ETag) }
}

async function copyInParts(
  client: StoreClient,
  from: ObjectAddress,
  to: ObjectAddress,
  source: HeadObjectCommandOutput,
  conditions: WriteConditions,
  partBytes: number
): Promise<StoredObject> {
  const { ContentType, ContentDisposition, ContentEncoding, ContentLanguage, CacheControl, Metadata } = source
  const facts = { ContentType, ContentDisposition, ContentEncoding, ContentLanguage, CacheControl, Metadata }
  const upload = { ...to, uploadId: await startUpload(client, to, facts) }
  try {
    const parts = await copyParts(client, from, upload, source, partBytes)
    if ((await headOf(client, from)).ETag !== source.ETag) throw changed(from.key)
    const contentType = ContentType ?? 'application/octet-stream'
    const stored = await completeUpload(client, upload, parts, { ...conditions, contentType })
    return { ...stored, sha256: storedObject(to.key, 0, source).sha256 }
  } catch (error) {
    // The reason of the failure matters more than leftover parts.
    await abortUpload(client, upload).catch(() => {})
    throw error
  }
}

async function copyParts(
  client: StoreClient,
  from: ObjectAddress,
  upload: UploadAddress,
  source: HeadObjectCommandOutput,
  partBytes: number
): Promise<StoredPart[]> {
  const totalBytes = source.ContentLength ?? 0
  const parts: StoredPart[] = Array.from({ length: Math.ceil(totalBytes / partBytes) })
  const waiting = parts.keys()
  const copyNext = async () => {
    for (const index of waiting) {
      const start = index * partBytes
      const end = Math.min(start + partBytes, totalBytes)
      const command = new UploadPartCopyCommand({
        Bucket: upload.bucket,
        Key: upload.key,
        UploadId: upload.uploadId,
        PartNumber: index + 1,
        CopySourceRange: `bytes=${start}-${end - 1}`,
        ...sourceOf(from, source)
      })
      const { CopyPartResult } = await client.call({ ...upload, needs: 's3:PutObject' }, (sdk) => sdk.send(command))
      parts[index] = { number: index + 1, sizeBytes: end - start, etag: quoted(CopyPartResult?.ETag) }
    }
  }
  const copyRest = () =>
    copyNext().catch((error) => {
      for (const _ of waiting); // leaves nothing for the other workers to begin
      throw error
    })
  const ended = await Promise.allSettled(Array.from({ length: PARTS_AT_A_TIME }, copyRest))
  for (const result of ended) if (result.status === 'rejected') throw result.reason
  return parts
}
