import { StoreError } from '../errors.ts'
import type { ObjectAddress, PutOptions, StoredObject } from '../index.ts'
import { putDivided } from '../remote/blocks.ts'
import type { UploadBody } from '../upload-body.ts'
import { BLOCK_BYTES, blockId, makeAttempt, makeUploadId, stageBlocks } from './blocks.ts'
import type { AzureClient } from './client.ts'
import { changed, headObject, storeConditions, storedObject, type VendorFacts } from './facts.ts'

/** In one request where the content fits into a block, else as blocks that are committed together. */
export async function putObject(
  client: AzureClient,
  at: ObjectAddress,
  body: UploadBody,
  options: PutOptions
): Promise<StoredObject> {
  const conditions = await storeConditions(client, at, options)
  return putDivided(
    body,
    () => BLOCK_BYTES,
    async (content) => putAtOnce(client, at, content, { conditions, ...(await factsOf(body, options)) }),
    async (blocks) => {
      if (options.ifAbsent === true && (await exists(client, at))) throw changed(at.key)
      const ids = await stage(client, at, blocks)
      return commit(client, at, ids, { conditions, ...(await factsOf(body, options)) })
    }
  )
}

async function putAtOnce(client: AzureClient, at: ObjectAddress, content: Buffer, facts: Facts): Promise<StoredObject> {
  const transactionalContentMD5 = facts.blobHTTPHeaders.blobContentMD5
  const { length } = content
  const options = { ...facts, transactionalContentMD5 }
  return toObject(at, facts, await client.call(at, () => client.blob(at).upload(content, length, options)))
}

async function stage(client: AzureClient, at: ObjectAddress, blocks: AsyncIterable<Buffer>): Promise<string[]> {
  const uploadId = makeUploadId()
  const attempt = makeAttempt()
  const idOf = (index: number) => blockId(uploadId, 0, attempt, index)
  const count = await stageBlocks(client, at, blocks, idOf)
  return Array.from({ length: count }, (_, index) => idOf(index))
}

async function commit(client: AzureClient, at: ObjectAddress, ids: string[], facts: Facts): Promise<StoredObject> {
  try {
    return toObject(at, facts, await client.call(at, () => client.blob(at).commitBlockList(ids, facts)))
  } catch (error) {
    // The service drops the waiting blocks of a key with every write to it.
    if (!(error instanceof StoreError && error.code === 'invalid_part')) throw error
    throw new StoreError('store_failed', `Another write to ${at.key} ended while this one was under way; send it again`)
  }
}

interface Facts {
  readonly sizeBytes: number
  readonly blobHTTPHeaders: { readonly blobContentType: string; readonly blobContentMD5: Uint8Array }
  readonly metadata: { readonly sha256: string }
  readonly conditions: Awaited<ReturnType<typeof storeConditions>>
}

async function factsOf(body: UploadBody, { contentType }: PutOptions): Promise<Omit<Facts, 'conditions'>> {
  const { md5, sha256, sizeBytes } = await body.digests()
  const blobHTTPHeaders = { blobContentType: contentType, blobContentMD5: Buffer.from(md5, 'hex') }
  return { sizeBytes, blobHTTPHeaders, metadata: { sha256 } }
}

function toObject(
  { key }: ObjectAddress,
  { sizeBytes, blobHTTPHeaders: { blobContentType, blobContentMD5 }, metadata }: Facts,
  { etag, lastModified }: Pick<VendorFacts, 'etag' | 'lastModified'>
): StoredObject {
  const facts = { etag, lastModified, contentType: blobContentType, contentMD5: blobContentMD5, metadata }
  return storedObject(key, sizeBytes, facts)
}

/** Saves sending large content in vain; the service itself checks the condition. */
async function exists(client: AzureClient, at: ObjectAddress): Promise<boolean> {
  return headObject(client, at).then(
    () => true,
    () => false
  )
}
