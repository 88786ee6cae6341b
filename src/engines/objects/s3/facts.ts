import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import { StoreError } from '../errors.ts'
import type { ObjectAddress, StoredObject } from '../index.ts'
import type { StoreClient } from './client.ts'
import { notS3 } from './errors.ts'

/** Facts that several of the vendor's answers have. */
export interface VendorFacts {
  readonly ETag?: string | undefined
  readonly LastModified?: Date | undefined
  readonly ContentType?: string | undefined
  readonly Metadata?: Readonly<Record<string, string>> | undefined
}

const SHA256 = /^[0-9a-f]{64}$/

export function storedObject(key: string, sizeBytes: number, facts: VendorFacts): StoredObject {
  const sha256 = facts.Metadata?.sha256
  return {
    key,
    sizeBytes,
    modifiedAt: (facts.LastModified ?? new Date()).toISOString(),
    etag: quoted(facts.ETag),
    contentType: facts.ContentType ?? 'application/octet-stream',
    // Other writers to the bucket can put anything under this name.
    sha256: sha256 !== undefined && SHA256.test(sha256) ? sha256 : undefined
  }
}

/** The tag in quotes: headers have them, the XML answers of some stores do not. */
export function quoted(etag: string | undefined): string {
  if (etag === undefined || etag === '') throw notS3()
  return etag.startsWith('"') ? etag : `"${etag}"`
}

/** The vendor's answer, for callers that need more of it than the facts. */
export async function headOf(client: StoreClient, { bucket, key }: ObjectAddress) {
  const subject = { bucket, key, needs: 's3:GetObject' }
  const input = { Bucket: bucket, Key: key }
  try {
    return await client.call(subject, (sdk) => sdk.send(new HeadObjectCommand(input)))
  } catch (error) {
    if (!(error instanceof StoreError) || !UNEXPLAINED.has(error.code)) throw error
    // The answer to HEAD has no body that could tell a missing bucket from a missing key, or a wrong secret from a
    // missing permission.
    const { Body: body } = await client.call(subject, (sdk) =>
      sdk.send(new GetObjectCommand({ ...input, Range: 'bytes=0-0' }))
    )
    ;(body as { destroy?(): void } | undefined)?.destroy?.()
    throw error
  }
}

const UNEXPLAINED = new Set(['no_such_key', 'access_denied', 'store_failed'])

export async function headObject(client: StoreClient, at: ObjectAddress): Promise<StoredObject> {
  const facts = await headOf(client, at)
  return storedObject(at.key, facts.ContentLength ?? 0, facts)
}
