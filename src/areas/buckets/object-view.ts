import type { Clock } from '../../engines/clock.ts'
import { keyFault, type ListedObject as Listed, type StoredObject } from '../../engines/objects/index.ts'
import { invalidField } from '../../errors.ts'
import type { Change } from '../../http/changes.ts'
import type { Performed } from '../../http/route.ts'
import { dataMade } from '../lineage/index.ts'
import type { OpenedBucket } from './opened.ts'
import type { ListedObject, WrittenObject } from './schema.ts'

export function requireKey(key: string, pointer: string): void {
  const fault = keyFault(key)
  if (fault !== undefined) throw invalidField(pointer, fault)
}

export function toListed({ key, sizeBytes, modifiedAt, etag }: Listed): ListedObject {
  return { name: key, size: sizeBytes, lastModified: modifiedAt, etag, isFolder: false }
}

export function toFolder(folder: string): ListedObject {
  return { name: folder, size: 0, lastModified: null, etag: null, isFolder: true }
}

export function toWritten({ row }: OpenedBucket, stored: StoredObject): WrittenObject {
  return { ...toListed(stored), bucket: row.name, contentType: stored.contentType, sha256: stored.sha256 ?? null }
}

type WrittenAndTold = Required<Pick<Performed<WrittenObject>, 'commit'>> & Performed<WrittenObject>

/** The answer to a write, its event, and that the lineage knows of the object as one that is there. */
export function written(opened: OpenedBucket, stored: StoredObject, clock: Clock): WrittenAndTold {
  const object = toWritten(opened, stored)
  const { name: bucket } = opened.row
  const { key, sizeBytes, etag, contentType } = stored
  const change: Change = {
    type: 'object',
    id: `${bucket}/${key}`,
    after: object,
    event: { bucket, key, sizeBytes, etag, contentType }
  }
  return {
    answer: object,
    changes: [change],
    headers: { etag, location: addressOf(bucket, key) },
    commit: (tx) => dataMade(tx, referenceOf(bucket, key), clock.now())
  }
}

/** What the lineage calls it. */
export const referenceOf = (bucket: string, key: string): string => `object://${bucket}/${key}`

export function goneObject(bucket: string, key: string, before: object): Change {
  return { type: 'object', id: `${bucket}/${key}`, before, event: { bucket, key } }
}

function addressOf(bucket: string, key: string): string {
  return `/api/buckets/${bucket}/objects/${encodeURIComponent(key)}`
}

/** The headers by which a cache asks again. */
export function validatorsOf({ etag, modifiedAt }: StoredObject): Record<string, string> {
  return { etag, 'last-modified': new Date(modifiedAt).toUTCString(), 'cache-control': 'private, no-cache' }
}

/** Headers that keep somebody else's content from acting as a page of this server, whatever its media type. */
export function headersOf(object: StoredObject): Record<string, string> {
  return {
    ...validatorsOf(object),
    'content-type': object.contentType,
    'accept-ranges': 'bytes',
    'content-security-policy': "sandbox; default-src 'none'",
    ...(object.sha256 !== undefined && {
      'repr-digest': `sha-256=:${Buffer.from(object.sha256, 'hex').toString('base64')}:`
    })
  }
}
