import type { BlobItem } from '@azure/storage-blob'
import type { Folder, ListedObject, Listing, ListQuery } from '../index.ts'
import { inOrder } from '../remote/entries.ts'
import type { AzureClient } from './client.ts'
import { isoOf, tagOf } from './facts.ts'

export async function listObjects(client: AzureClient, bucket: string, query: ListQuery): Promise<Listing> {
  let after = query.after
  // The service may answer with an empty page that is not the last one.
  for (;;) {
    const { entries, next } = await page(client, bucket, { ...query, after })
    if (entries.length > 0 || next === undefined) return { entries, next }
    after = next
  }
}

async function page(client: AzureClient, bucket: string, query: ListQuery): Promise<Listing> {
  const { prefix, folders, limit: maxPageSize, after: continuationToken } = query
  const container = client.container(bucket)
  const options = prefix === '' ? {} : { prefix }
  const settings = { maxPageSize, ...(continuationToken !== undefined && { continuationToken }) }
  if (!folders) {
    const pages = container.listBlobsFlat(options).byPage(settings)
    const { segment, continuationToken: next } = await client.call({ bucket }, async () => (await pages.next()).value)
    return { entries: inOrder(segment.blobItems.map(listed)), next: next || undefined }
  }
  const pages = container.listBlobsByHierarchy('/', options).byPage(settings)
  const { segment, continuationToken: next } = await client.call({ bucket }, async () => (await pages.next()).value)
  const found: Folder[] = (segment.blobPrefixes ?? []).map(({ name }: { name: string }) => ({ folder: name }))
  return { entries: inOrder([...found, ...segment.blobItems.map(listed)]), next: next || undefined }
}

function listed({ name, properties }: BlobItem): ListedObject {
  const { contentLength = 0, lastModified } = properties
  return { key: name, sizeBytes: contentLength, modifiedAt: isoOf(lastModified), etag: tagOf(properties) }
}
