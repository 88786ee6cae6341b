import type { Readable } from 'node:stream'
import { StoreError } from '../errors.ts'
import type { ByteRange, GetOptions, ObjectAddress, OpenedObject } from '../index.ts'
import { type Span, spanOf } from '../range.ts'
import { resumable } from '../remote/resumable.ts'
import type { AzureClient } from './client.ts'
import { changed, headObject, storedObject } from './facts.ts'

const MAX_ATTEMPTS = 3

export async function getObject(client: AzureClient, at: ObjectAddress, options: GetOptions): Promise<OpenedObject> {
  const { range, ifMatch } = options
  for (let attempt = 1; ; attempt++) {
    try {
      const opened = await open(client, at, await request(client, at, range), range)
      if (ifMatch === undefined || opened.object.etag === ifMatch) return opened
      opened.body.destroy()
      throw changed(at.key)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      if (error.code === 'range_not_satisfiable') spanOf(range, (await headObject(client, at)).object.sizeBytes)
      // The object was replaced by one of another size while the range was looked up.
      else if (!(error.code === 'precondition_failed' && ifMatch === undefined)) throw error
      if (attempt === MAX_ATTEMPTS) throw error
    }
  }
}

interface Wanted {
  readonly start: number
  readonly count?: number | undefined
  readonly storeTag?: string | undefined
}

/** The service can't count from the end, so the size is asked for first. */
async function request(client: AzureClient, at: ObjectAddress, range: ByteRange | undefined): Promise<Wanted> {
  if (range === undefined) return { start: 0 }
  if ('last' in range) {
    const { object, storeTag } = await headObject(client, at)
    const { start, end } = spanOf(range, object.sizeBytes)
    return { start, count: end - start, storeTag }
  }
  return { start: range.start, count: range.end === undefined ? undefined : range.end - range.start + 1 }
}

async function open(client: AzureClient, at: ObjectAddress, wanted: Wanted, range: ByteRange | undefined) {
  const answer = await download(client, at, wanted)
  const { etag, lastModified, contentType, metadata, contentLength = 0, contentRange } = answer
  const sizeBytes = contentRange === undefined ? contentLength : Number(contentRange.split('/')[1])
  // In an answer with a part, `contentMD5` is the digest of that part.
  const contentMD5 = contentRange === undefined ? answer.contentMD5 : answer.blobContentMD5
  const object = storedObject(at.key, sizeBytes, { etag, lastModified, contentType, contentMD5, metadata })
  const source = answer.readableStreamBody as Readable
  const { start, end } = spanOrDestroy(source, range, sizeBytes)
  const reopen = async (offset: number) => {
    const rest = await download(client, at, { start: offset, count: end - offset, storeTag: etag })
    return rest.readableStreamBody as Readable
  }
  return { object, start, end, body: resumable(source, { key: at.key, start, end, reopen }) }
}

/** Azurite answers nothing where a range begins right after the end, instead of refusing it. */
function spanOrDestroy(source: Readable, range: ByteRange | undefined, sizeBytes: number): Span {
  try {
    return spanOf(range, sizeBytes)
  } catch (error) {
    source.destroy()
    throw error
  }
}

async function download(client: AzureClient, at: ObjectAddress, { start, count, storeTag }: Wanted) {
  const conditions = storeTag === undefined ? {} : { ifMatch: storeTag }
  return client.call(at, () => client.blob(at).download(start, count, { conditions, maxRetryRequests: 0 }))
}
