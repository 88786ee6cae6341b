import { ListObjectsV2Command, type ListObjectsV2CommandOutput } from '@aws-sdk/client-s3'
import type { Folder, ListedObject, Listing, ListQuery } from '../index.ts'
import { inOrder } from '../remote/entries.ts'
import type { StoreClient } from './client.ts'
import { notS3 } from './errors.ts'
import { quoted } from './facts.ts'

export async function listObjects(client: StoreClient, bucket: string, query: ListQuery): Promise<Listing> {
  const page = await client.call({ bucket, needs: 's3:ListBucket' }, (sdk) =>
    sdk.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: query.prefix === '' ? undefined : query.prefix,
        Delimiter: query.folders ? '/' : undefined,
        MaxKeys: query.limit,
        ContinuationToken: query.after,
        // XML can't hold every character, and not every parser keeps blanks.
        EncodingType: 'url'
      })
    )
  )
  if (page.IsTruncated === undefined) throw notS3()
  return {
    entries: inOrder([...objectsOf(page), ...foldersOf(page)]),
    next: page.IsTruncated ? page.NextContinuationToken : undefined
  }
}

function objectsOf(page: ListObjectsV2CommandOutput): ListedObject[] {
  return (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified, ETag }) => ({
    key: decode(Key, page),
    sizeBytes: Size,
    modifiedAt: (LastModified ?? new Date(0)).toISOString(),
    etag: quoted(ETag)
  }))
}

function foldersOf(page: ListObjectsV2CommandOutput): Folder[] {
  return (page.CommonPrefixes ?? []).map(({ Prefix = '' }) => ({ folder: decode(Prefix, page) }))
}

function decode(text: string, { EncodingType }: ListObjectsV2CommandOutput): string {
  return EncodingType === 'url' ? decodeURIComponent(text.replaceAll('+', ' ')) : text
}
