import { Readable } from 'node:stream'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import { StoreError } from '../errors.ts'
import type { ByteRange, GetOptions, ObjectAddress, OpenedObject } from '../index.ts'
import { type Span, spanOf } from '../range.ts'
import type { StoreClient } from './client.ts'
import { headObject, quoted, storedObject } from './facts.ts'

const MAX_ATTEMPTS = 3

export async function getObject(
  client: StoreClient,
  at: ObjectAddress,
  { range, ifMatch }: GetOptions
): Promise<OpenedObject> {
  const answer = await open(client, at, range === undefined ? undefined : headerOf(range), ifMatch).catch(
    async (error) => {
      // Only some say how long the object is.
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
  const source = answer.Body as Readable
  const body = Readable.from(resuming(client, at, source, { start, end, etag: object.etag }), { objectMode: false })
  // One that is given up before it is read never gets as far as the generator.
  body.once('close', () => source.destroy())
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

/** A connection that breaks off is taken up where it ended, as long as the object is the same. */
async function* resuming(
  client: StoreClient,
  at: ObjectAddress,
  first: Readable,
  { start, end, etag }: Span & { etag: string }
): AsyncGenerator<Buffer> {
  let source = first
  let offset = start
  for (let attempt = 1; ; attempt++) {
    try {
      for await (const chunk of source) {
        offset += chunk.length
        yield chunk
      }
      return
    } catch {
      if (attempt === MAX_ATTEMPTS) throw brokenOff(at.key)
    }
    const next = await open(client, at, `bytes=${offset}-${end - 1}`, etag)
    source = next.Body as Readable
    if (quoted(next.ETag) !== etag || next.ContentLength !== end - offset) throw brokenOff(at.key)
  }
}

function brokenOff(key: string): StoreError {
  return new StoreError('store_failed', `The connection broke off while ${key} was read; try again`)
}
