import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { StoreError } from '../errors.ts'
import type { GetOptions, OpenedObject } from '../index.ts'
import { spanOf } from '../range.ts'
import { type Api, objectPath } from './api.ts'
import { requireTag } from './conditions.ts'
import { fromNetwork } from './errors.ts'
import { type ObjectResource, toStored } from './resource.ts'

const MAX_REPLACED = 3

/** The facts first, then the content of that same generation: together they are of one object. */
export async function getObject(
  api: Api,
  bucket: string,
  key: string,
  { range, ifMatch }: GetOptions
): Promise<OpenedObject> {
  for (let replaced = 0; replaced < MAX_REPLACED; replaced++) {
    const resource = await api.resource(bucket, key)
    if (ifMatch !== undefined) requireTag(resource, ifMatch)
    const object = toStored(resource)
    const { start, end } = spanOf(range, object.sizeBytes)
    if (start === end) return { object, start, end, body: Buffer.alloc(0) }
    const body = await openContent(api, bucket, resource, range === undefined ? undefined : { start, end })
    if (body !== undefined) return { object, start, end, body }
  }
  throw new StoreError('throttled', 'The object is being replaced all the time; try again later')
}

/** Undefined where this generation is no longer there. */
export async function openContent(
  api: Api,
  bucket: string,
  { name, generation }: Pick<ObjectResource, 'name' | 'generation'>,
  span?: { readonly start: number; readonly end: number }
): Promise<Readable | undefined> {
  // With this, an object that is kept compressed comes as it is.
  const headers: Record<string, string> = { 'accept-encoding': 'gzip' }
  if (span !== undefined) headers.range = `bytes=${span.start}-${span.end - 1}`
  const path = objectPath(bucket, name)
  const query = { alt: 'media', generation }
  const answer = await api.open({ method: 'GET', path, query, headers, bucket, accept: [404], repeatable: true })
  if (answer.statusCode === 404) {
    answer.resume()
    return undefined
  }
  const content = Readable.from(readContent(answer), { objectMode: false })
  // A body that nobody began to read would keep its connection.
  return content.once('close', () => answer.destroy())
}

async function* readContent(answer: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) yield chunk
  } catch (error) {
    throw fromNetwork(error)
  }
}
