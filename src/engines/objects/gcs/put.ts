import { randomUUID } from 'node:crypto'
import { StoreError } from '../errors.ts'
import type { ObjectAddress } from '../index.ts'
import type { UploadBody } from '../upload-body.ts'
import { type Api, jsonBody, objectPath } from './api.ts'
import type { Precondition } from './conditions.ts'
import type { ObjectResource } from './resource.ts'

/** Content up to this size is sent in one request, with its digests. */
const HELD_BYTES = 8 * 1024 * 1024

/** Writes an object under a precondition that the store checks. */
export async function putObject(
  api: Api,
  address: ObjectAddress,
  body: UploadBody,
  options: { readonly contentType: string; readonly precondition: Precondition }
): Promise<ObjectResource> {
  const held: Buffer[] = []
  let heldBytes = 0
  const batches = body.batches()[Symbol.asyncIterator]()
  try {
    for (let next = await batches.next(); !next.done; next = await batches.next()) {
      held.push(...next.value)
      for (const { length } of next.value) heldBytes += length
      if (heldBytes > HELD_BYTES) return await putStream(api, address, remaining(held, batches), { ...options, body })
    }
  } finally {
    await batches.return?.()
  }
  return putHeld(api, address, held, { ...options, body })
}

interface Put {
  readonly contentType: string
  readonly precondition: Precondition
  readonly body: UploadBody
}

async function putHeld(
  api: Api,
  { bucket, key }: ObjectAddress,
  held: readonly Buffer[],
  { contentType, precondition, body }: Put
): Promise<ObjectResource> {
  const { md5, sha256 } = await body.digests()
  const md5Hash = Buffer.from(md5, 'hex').toString('base64')
  const resource = JSON.stringify({ name: key, contentType, md5Hash, metadata: { sha256 } })
  const boundary = randomUUID()
  const head = `--${boundary}\r\nContent-Type: application/json\r\n\r\n${resource}\r\n--${boundary}\r\nContent-Type: application/octet-stream\r\n\r\n`
  return api.json({
    method: 'POST',
    path: uploadPath(bucket),
    query: { uploadType: 'multipart', name: key, ...precondition },
    headers: { 'content-type': `multipart/related; boundary=${boundary}` },
    body: [Buffer.from(head), ...held, Buffer.from(`\r\n--${boundary}--\r\n`)],
    bucket,
    // Sending the same content again changes nothing; with a condition, though, the first try could make the second
    // one fail.
    repeatable: precondition.ifGenerationMatch === undefined
  })
}

/**
 * A session of one request without a length: an upload that ends early is never completed, and nothing has to be kept
 * in memory for a second try.
 */
async function putStream(
  api: Api,
  { bucket, key }: ObjectAddress,
  content: AsyncIterable<Buffer>,
  { contentType, precondition, body }: Put
): Promise<ObjectResource> {
  const session = await startSession(api, bucket, key, { contentType, precondition })
  let resource: ObjectResource
  try {
    resource = await api.json<ObjectResource>({
      method: 'PUT',
      path: session,
      headers: { 'content-range': 'bytes 0-*/*' },
      body: content,
      bucket
    })
  } catch (error) {
    await api.status({ method: 'DELETE', path: session, bucket, accept: [404, 410, 499] }).catch(() => {})
    throw error
  }
  const { md5 } = await body.digests()
  if (resource.md5Hash === undefined || Buffer.from(resource.md5Hash, 'base64').toString('hex') === md5) return resource
  const path = objectPath(bucket, key)
  const query = { generation: resource.generation }
  await api.status({ method: 'DELETE', path, query, bucket, key, accept: [404], repeatable: true })
  throw new StoreError('store_failed', 'The content arrived damaged at the store and was removed; send it again')
}

/**
 * The path and query of the session's address: its host is left out, since the server may have another name for
 * itself.
 */
async function startSession(
  api: Api,
  bucket: string,
  key: string,
  { contentType, precondition }: Pick<Put, 'contentType' | 'precondition'>
): Promise<string> {
  const answer = await api.open({
    method: 'POST',
    path: uploadPath(bucket),
    query: { uploadType: 'resumable', name: key, ...precondition },
    ...jsonBody({ name: key, contentType }),
    bucket,
    repeatable: true
  })
  answer.resume()
  const location = URL.parse(answer.headers.location ?? '')
  if (location !== null) return location.pathname + location.search
  throw new StoreError('store_failed', 'The server does not answer as Cloud Storage does; check the endpoint')
}

function uploadPath(bucket: string): string {
  return `/upload/storage/v1/b/${encodeURIComponent(bucket)}/o`
}

async function* remaining(held: Buffer[], batches: AsyncIterator<readonly Buffer[]>): AsyncGenerator<Buffer> {
  yield* held.splice(0)
  for (let next = await batches.next(); !next.done; next = await batches.next()) yield* next.value
}
