import type { ListedObject, StoredObject } from '../index.ts'

/** What the JSON API says about an object. */
export interface ObjectResource {
  readonly name: string
  readonly generation: string
  readonly size: string
  readonly updated: string
  /** In base64; an object that was composed of others has none. */
  readonly md5Hash?: string
  readonly etag: string
  readonly contentType?: string
  readonly metadata?: Readonly<Record<string, string>>
}

export const LISTED_FIELDS = 'name,size,updated,md5Hash,etag'

export function toListed(resource: Omit<ObjectResource, 'generation'>): ListedObject {
  const { name, size, updated, md5Hash, etag } = resource
  return {
    key: name,
    sizeBytes: Number(size),
    modifiedAt: new Date(updated).toISOString(),
    etag: `"${md5Hash === undefined ? etag : Buffer.from(md5Hash, 'base64').toString('hex')}"`
  }
}

export function toStored(resource: ObjectResource): StoredObject {
  return {
    ...toListed(resource),
    contentType: resource.contentType ?? 'application/octet-stream',
    sha256: resource.metadata?.sha256
  }
}
