import type { Readable } from 'node:stream'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import { StoreError } from '../errors.ts'
import type { ByteRange, GetOptions, ObjectAddress, OpenedObject } from '../index.ts'
import { type Span, spanOf } from '../range.ts'
import { brokenOff, resumable } from '../remote/resumable.ts'
import type { StoreClient } from './client.ts'
import { headObject, quoted, storedObject } from './facts.ts'

export async function getObject(
  client: StoreClient,
  at: ObjectAddress,
  { range, ifMatch }: GetOptions
): Promise<OpenedObject> {
  const answer = await open(client, at, range === undefined ? undefined : headerOf(range), ifMatch).catch(
    async (error) => {
      // Only some stores tell the size of the object.
      if (error instanceof StoreError && error.code === 'range_not_satisfiable') {
        spanOf(range, (await headObject(client, at)).sizeBytes)
      }
      throw error
    }
  )
  const { ContentLength = 0, ContentRange = '' } = answer
  const [, first, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(ContentRange) ?? []
  const start = Number(first ?? 0)
  const end = start + ContentLength
  const object = storedObject(at.key, Number(size ?? ContentLength), answer)
  const body = resumable(answer.Body as Readable, {
    key: at.key,
    start,
    end,
    reopen: (offset) => reopen(client, at, { start: offset, end }, object.etag)
  })
  return { object, start, end, body }
}

function headerOf(range: ByteRange): string {
  return 'last' in range ? `bytes=-${range.last}` : `bytes=${range.start}-${range.end ?? ''}`
}

function open(client: StoreClient, { bucket, key }: ObjectAddress, range: string | undefined, ifMatch?: string) {
  return client.call({ bucket, key, needs: 's3:GetObject' }, (sdk) =>
    sdk.send(new GetObjectCommand({ Bucket: bucket, Key: key, Range: range, IfMatch: ifMatch }))
  )
}

async function reopen(client: StoreClient, at: ObjectAddress, { start, end }: Span, etag: string): Promise<Readable> {
  const next = await open(client, at, `bytes=${start}-${end - 1}`, etag)
  const source = next.Body as Readable
  if (quoted(next.ETag) === etag && next.ContentLength === end - start) return source
  source.destroy()
  throw brokenOff(at.key)
}
