import { StoreError } from '../errors.ts'
import type { ObjectAddress, PutOptions, StoredObject, StoredPart, UploadAddress } from '../index.ts'
import { blocksOf } from '../remote/blocks.ts'
import type { UploadBody } from '../upload-body.ts'
import { BLOCK_BYTES, blockId, makeAttempt, makeUploadId, stageBlocks } from './blocks.ts'
import type { AzureClient } from './client.ts'
import { storeConditions, storedObject } from './facts.ts'

const UPLOAD_ID = /^[\w-]{20}$/
const PART_TAG = /^"([\w-]{12})\.(\d{1,5})"$/

const OPEN = Buffer.from('1')
const OVER = Buffer.from('22')

/**
 * The service has no uploads, only blocks that wait at a key. One more block tells whether an upload is open, at a
 * key that is never committed and so never listed: one byte while it is open, two when it is over. The service drops
 * it after a week, like the parts.
 */
export async function startUpload(client: AzureClient, at: ObjectAddress): Promise<string> {
  const uploadId = makeUploadId()
  await mark(client, { ...at, uploadId }, OPEN)
  return uploadId
}

export async function putPart(
  client: AzureClient,
  upload: UploadAddress,
  number: number,
  body: UploadBody
): Promise<StoredPart> {
  await checkOpen(client, upload)
  const attempt = makeAttempt()
  const idOf = (index: number) => blockId(upload.uploadId, number, attempt, index)
  const count = await stageBlocks(
    client,
    upload,
    blocksOf(body, () => BLOCK_BYTES),
    idOf
  )
  const { sizeBytes } = await body.digests()
  return { number, sizeBytes, etag: `"${attempt}.${count}"` }
}

export async function completeUpload(
  client: AzureClient,
  upload: UploadAddress,
  parts: readonly StoredPart[],
  options: PutOptions
): Promise<StoredObject> {
  await checkOpen(client, upload)
  const conditions = await storeConditions(client, upload, options)
  const ids = parts.flatMap((part) => blocksOfPart(upload, part))
  const { contentType } = options
  const commit = () =>
    client.blob(upload).commitBlockList(ids, { conditions, blobHTTPHeaders: { blobContentType: contentType } })
  const stored = await client.call(upload, commit).catch(async (error) => {
    const lost = error instanceof StoreError && error.code === 'invalid_part' && !(await hasBlocks(client, upload))
    throw lost ? noSuchUpload('its parts are gone: another write to the key ended first, or a week has passed') : error
  })
  // The object is complete even if the mark fails; without it a late part is accepted, and dropped after a week.
  await mark(client, upload, OVER).catch(() => undefined)
  const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0)
  return storedObject(upload.key, sizeBytes, { ...stored, contentMD5: undefined, contentType })
}

export async function abortUpload(client: AzureClient, upload: UploadAddress): Promise<void> {
  if (!UPLOAD_ID.test(upload.uploadId)) return
  await mark(client, upload, OVER).catch((error) => {
    if (!(error instanceof StoreError && error.code === 'no_such_bucket')) throw error
  })
}

function markOf({ bucket, uploadId }: UploadAddress) {
  return { bucket, key: `millrace-upload/${uploadId}`, id: blockId(uploadId, 0, '-'.repeat(12), 0) }
}

async function mark(client: AzureClient, upload: UploadAddress, content: Buffer): Promise<void> {
  const { id, ...at } = markOf(upload)
  await client.call(upload, () => client.blob(at).stageBlock(id, content, content.length))
}

async function checkOpen(client: AzureClient, upload: UploadAddress): Promise<void> {
  if (!UPLOAD_ID.test(upload.uploadId)) throw noSuchUpload('its name is not one of this store')
  const blocks = await waitingBlocks(client, markOf(upload))
  if (blocks[0]?.size !== OPEN.length) throw noSuchUpload('it was completed or given up, or a week has passed')
}

async function hasBlocks(client: AzureClient, upload: UploadAddress): Promise<boolean> {
  const blocks = await waitingBlocks(client, upload)
  return blocks.some(({ name }) => Buffer.from(name, 'base64').toString().startsWith(upload.uploadId))
}

async function waitingBlocks(client: AzureClient, { bucket, key }: ObjectAddress) {
  const at = { bucket, key }
  try {
    const { uncommittedBlocks } = await client.call(at, () => client.blob(at).getBlockList('uncommitted'))
    return uncommittedBlocks ?? []
  } catch (error) {
    if (error instanceof StoreError && error.code === 'no_such_key') return []
    throw error
  }
}

function blocksOfPart({ uploadId }: UploadAddress, { number, etag }: StoredPart): string[] {
  const [, attempt = '', count = ''] = PART_TAG.exec(etag) ?? []
  if (attempt === '')
    throw new StoreError('invalid_part', `Part ${number} has an entity tag that this store did not give`)
  return Array.from({ length: Number(count) }, (_, index) => blockId(uploadId, number, attempt, index))
}

function noSuchUpload(why: string): StoreError {
  return new StoreError('no_such_upload', `There is no such upload: ${why}; start another one`)
}
