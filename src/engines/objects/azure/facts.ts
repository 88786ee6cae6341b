import { StoreError } from '../errors.ts'
import type { ObjectAddress, StoredObject, WriteConditions } from '../index.ts'
import type { AzureClient } from './client.ts'

/** Facts that several of the vendor's answers have. */
export interface VendorFacts {
  readonly etag?: string | undefined
  readonly lastModified?: Date | undefined
  readonly contentMD5?: Uint8Array | undefined
  readonly contentType?: string | undefined
  readonly metadata?: Record<string, string> | undefined
}

export function storedObject(key: string, sizeBytes: number, facts: VendorFacts): StoredObject {
  return {
    key,
    sizeBytes,
    modifiedAt: isoOf(facts.lastModified),
    etag: tagOf(facts),
    contentType: facts.contentType ?? 'application/octet-stream',
    sha256: facts.metadata?.sha256
  }
}

/** The MD5 where the blob has one. The service's own tag has quotes in headers, and none in listings. */
export function tagOf({ contentMD5, etag = '' }: Pick<VendorFacts, 'contentMD5' | 'etag'>): string {
  if (contentMD5?.length === 16) return `"${Buffer.from(contentMD5).toString('hex')}"`
  return etag.startsWith('"') ? etag : `"${etag}"`
}

export function isoOf(time: Date | undefined): string {
  return (time ?? new Date()).toISOString()
}

export async function headObject(client: AzureClient, at: ObjectAddress) {
  const facts = await client.call(at, () => client.blob(at).getProperties())
  return { object: storedObject(at.key, facts.contentLength ?? 0, facts), storeTag: facts.etag ?? '', facts }
}

/** Turns our entity tags, which are mostly digests, into the service's own tags, which it can compare. */
export async function storeConditions(client: AzureClient, at: ObjectAddress, conditions: WriteConditions) {
  if (conditions.ifAbsent === true) return { ifNoneMatch: '*' }
  if (conditions.ifMatch === undefined) return {}
  const { object, storeTag } = await headObject(client, at).catch((error) => {
    throw error instanceof StoreError && error.code === 'no_such_key' ? changed(at.key) : error
  })
  if (object.etag !== conditions.ifMatch) throw changed(at.key)
  return { ifMatch: storeTag }
}

export function changed(key: string): StoreError {
  return new StoreError('precondition_failed', `${key} is not, or no longer, the one with this entity tag`)
}
