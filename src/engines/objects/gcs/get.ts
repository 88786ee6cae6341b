import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { StoreError } from '../errors.ts'
import type { GetOptions, OpenedObject } from '../index.ts'
import { type Span, spanOf } from '../range.ts'
import { brokenOff, resumable } from '../remote/resumable.ts'
import { type Api, objectPath } from './api.ts'
import { requireTag } from './conditions.ts'
import { type ObjectResource, toStored } from './resource.ts'

const MAX_REPLACED = 3

/** Reads the facts first, then the content of the same generation, so that they belong together. */
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
    const body = await openContent(api, bucket, resource, { start, end })
    if (body !== undefined) return { object, start, end, body }
  }
  throw new StoreError('throttled', 'The object is being replaced all the time; try again later')
}

/** Undefined where this generation does not exist any more. */
export async function openContent(
  api: Api,
  bucket: string,
  resource: Pick<ObjectResource, 'name' | 'generation' | 'size'>,
  { start, end }: Span = spanOf(undefined, Number(resource.size))
): Promise<Readable | undefined> {
  const { name, generation, size } = resource
  const from = (offset: number) => {
    const isWhole = offset === 0 && end === Number(size)
    return request(api, bucket, { name, generation }, isWhole ? undefined : `bytes=${offset}-${end - 1}`)
  }
  const reopen = async (offset: number) => {
    const answer = await from(offset)
    if (answer === undefined) throw new StoreError('precondition_failed', `${name} was replaced while it was read`)
    if (offset === 0 || answer.statusCode === 206) return answer
    answer.destroy()
    throw brokenOff(name)
  }
  const first = await from(start)
  return first && resumable(first, { key: name, start, end, reopen })
}

async function request(
  api: Api,
  bucket: string,
  { name, generation }: Pick<ObjectResource, 'name' | 'generation'>,
  range: string | undefined
): Promise<IncomingMessage | undefined> {
  // With this header an object that is stored compressed is sent as it is.
  const headers = { 'accept-encoding': 'gzip', ...(range !== undefined && { range }) }
  const path = objectPath(bucket, name)
  const query = { alt: 'media', generation }
  const answer = await api.open({ method: 'GET', path, query, headers, bucket, accept: [404], repeatable: true })
  if (answer.statusCode !== 404) return answer
  answer.resume()
  return undefined
}
