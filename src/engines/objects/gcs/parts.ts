import { randomBytes } from 'node:crypto'
import { StoreError } from '../errors.ts'
import type { ObjectAddress, StoredPart, UploadAddress } from '../index.ts'
import { RESERVED_PREFIX } from '../key.ts'
import { MAX_DELETED_AT_ONCE } from '../limits.ts'
import { createUploadBody, type UploadBody } from '../upload-body.ts'
import { type Api, objectPath } from './api.ts'
import { deleteObjects } from './delete.ts'
import { fetchPage, type Page } from './list.ts'
import { putObject } from './put.ts'
import { toListed } from './resource.ts'

/**
 * The JSON API has no uploads in parts. Each part is a hidden object of its own, and a marker says that the upload is
 * open.
 */
export async function startParts(api: Api, bucket: string): Promise<string> {
  const uploadId = randomBytes(16).toString('hex')
  const marker = { bucket, key: markerOf(uploadId) }
  await putObject(api, marker, createUploadBody(nothing()), { contentType: 'text/plain', precondition: {} })
  return uploadId
}

export async function putPart(api: Api, upload: UploadAddress, number: number, body: UploadBody): Promise<StoredPart> {
  const { bucket, uploadId } = upload
  await requireOpen(api, upload)
  const key = `${folderOf(uploadId)}${number}-${randomBytes(8).toString('hex')}`
  const options = { contentType: 'application/octet-stream', precondition: {} }
  const { sizeBytes, etag } = toListed(await putObject(api, { bucket, key }, body, options))
  try {
    await requireOpen(api, upload)
  } catch (error) {
    await deleteObjects(api, bucket, [key])
    throw error
  }
  return { number, sizeBytes, etag }
}

export async function requireOpen(api: Api, { bucket, uploadId }: UploadAddress): Promise<void> {
  const key = markerOf(uploadId)
  const path = objectPath(bucket, key)
  const status = await api.status({ method: 'GET', path, bucket, accept: [404], repeatable: true })
  if (status === 404) throw new StoreError('no_such_upload', 'The upload was finished or given up; start another one')
}

/** The objects that hold these parts, in their order. */
export async function findParts(
  api: Api,
  { bucket, uploadId }: UploadAddress,
  parts: readonly StoredPart[]
): Promise<string[]> {
  const held = new Map<string, string>()
  const folder = folderOf(uploadId)
  for await (const { key, sizeBytes, etag } of listAll(api, bucket, folder)) {
    held.set(`${key.slice(folder.length).split('-')[0]} ${sizeBytes} ${etag}`, key)
  }
  return parts.map(({ number, sizeBytes, etag }) => {
    const key = held.get(`${number} ${sizeBytes} ${etag}`)
    if (key === undefined)
      throw new StoreError('invalid_part', `Part ${number} is not there as it is named; send it again`)
    return key
  })
}

/** Removes all objects of an upload, or of all uploads; the marker first, so that no more parts are accepted. */
export async function removeParts(api: Api, bucket: string, uploadId?: string): Promise<void> {
  if (uploadId !== undefined) await deleteObjects(api, bucket, [markerOf(uploadId)])
  let keys: string[] = []
  for await (const { key } of listAll(api, bucket, uploadId === undefined ? RESERVED_PREFIX : folderOf(uploadId))) {
    keys.push(key)
    if (keys.length < MAX_DELETED_AT_ONCE) continue
    await deleteObjects(api, bucket, keys)
    keys = []
  }
  await deleteObjects(api, bucket, keys)
}

/** A name for the object that several parts were joined to on the way. */
export function joinedAddress({ bucket, uploadId }: UploadAddress): ObjectAddress {
  return { bucket, key: `${folderOf(uploadId)}joined-${randomBytes(8).toString('hex')}` }
}

async function* listAll(api: Api, bucket: string, prefix: string) {
  let token: string | undefined
  do {
    const page: Page = await fetchPage(api, bucket, { prefix, folders: false, limit: 1000 }, { token })
    yield* (page.items ?? []).map(toListed)
    token = page.nextPageToken
  } while (token !== undefined)
}

function folderOf(uploadId: string): string {
  return `${RESERVED_PREFIX}${encodeURIComponent(uploadId)}/`
}

function markerOf(uploadId: string): string {
  return `${folderOf(uploadId)}open`
}

async function* nothing(): AsyncGenerator<Buffer> {}
