import { StoreError } from '../errors.ts'
import type { ObjectAddress, StoredObject, WriteConditions } from '../index.ts'
import { blockId, makeAttempt, makeUploadId } from './blocks.ts'
import type { AzureClient } from './client.ts'
import { headObject, storeConditions, storedObject } from './facts.ts'

/** The most that the service copies in one go. */
const MAX_AT_ONCE_BYTES = 256 * 1024 * 1024
const LINK_SECONDS = 3600

interface Copy {
  readonly from: ObjectAddress
  readonly to: ObjectAddress
  readonly source: Awaited<ReturnType<typeof headObject>>
  readonly conditions: Awaited<ReturnType<typeof storeConditions>>
  readonly atOnceBytes: number
}

/**
 * Copies in one request, or in blocks that the service fetches itself; never with its background copy, since that
 * removes the old object before the new one is complete.
 */
export async function copyObject(
  client: AzureClient,
  from: ObjectAddress,
  to: ObjectAddress,
  wanted: WriteConditions,
  atOnceBytes = MAX_AT_ONCE_BYTES
): Promise<StoredObject> {
  const source = await headObject(client, from)
  const conditions = await storeConditions(client, to, wanted)
  const { sizeBytes } = source.object
  const copy = sizeBytes > atOnceBytes ? copyInBlocks : copyAtOnce
  const { etag, lastModified } = await copy(client, { from, to, source, conditions, atOnceBytes })
  return storedObject(to.key, sizeBytes, { ...source.facts, etag, lastModified })
}

async function copyAtOnce(client: AzureClient, { from, to, source, conditions }: Copy) {
  const sourceConditions = { ifMatch: source.storeTag }
  return client.call(to, () =>
    client.blob(to).syncCopyFromURL(client.link(from, LINK_SECONDS), { conditions, sourceConditions })
  )
}

async function copyInBlocks(client: AzureClient, { from, to, source, conditions, atOnceBytes }: Copy) {
  const { sizeBytes } = source.object
  const uploadId = makeUploadId()
  const attempt = makeAttempt()
  const ids: string[] = []
  for (let offset = 0; offset < sizeBytes; offset += atOnceBytes) {
    const id = blockId(uploadId, 0, attempt, ids.length)
    const bytes = Math.min(atOnceBytes, sizeBytes - offset)
    const link = client.link(from, LINK_SECONDS)
    await client.call(to, () => client.blob(to).stageBlockFromURL(id, link, offset, bytes))
    ids.push(id)
  }
  if ((await headObject(client, from)).storeTag !== source.storeTag) {
    throw new StoreError('store_failed', `${from.key} was replaced while it was copied; try again`)
  }
  const { contentMD5, metadata = {} } = source.facts
  const blobHTTPHeaders = {
    blobContentType: source.object.contentType,
    ...(contentMD5 !== undefined && { blobContentMD5: contentMD5 })
  }
  return client.call(to, () => client.blob(to).commitBlockList(ids, { conditions, blobHTTPHeaders, metadata }))
}
