import { StoreError } from '../errors.ts'
import type { ObjectAddress, UploadAddress } from '../index.ts'
import { createUploadBody } from '../upload-body.ts'
import { type Api, jsonBody, objectPath } from './api.ts'
import type { Precondition } from './conditions.ts'
import { openContent } from './get.ts'
import { joinedAddress } from './parts.ts'
import { putObject } from './put.ts'
import type { ObjectResource } from './resource.ts'

/** How many objects the store can compose at a time. */
const MAX_SOURCES = 32

interface Target extends ObjectAddress {
  readonly contentType: string
  readonly precondition: Precondition
}

/** Joins parts to one object: within the store, or by copying through this server where the store can't. */
export async function joinParts(
  api: Api,
  upload: UploadAddress,
  keys: readonly string[],
  options: Pick<Target, 'contentType' | 'precondition'>
): Promise<ObjectResource> {
  const target = { bucket: upload.bucket, key: upload.key, ...options }
  let sources = keys
  while (sources.length > MAX_SOURCES) {
    const joined: string[] = []
    for (let start = 0; start < sources.length; start += MAX_SOURCES) {
      const group = sources.slice(start, start + MAX_SOURCES)
      const between = { ...joinedAddress(upload), contentType: 'application/octet-stream', precondition: {} }
      if ((await compose(api, between, group)) === undefined) return passThrough(api, target, keys)
      joined.push(between.key)
    }
    sources = joined
  }
  return (await compose(api, target, sources)) ?? passThrough(api, target, keys)
}

/** Undefined where the server can't compose. */
function compose(
  api: Api,
  { bucket, key, contentType, precondition }: Target,
  sources: readonly string[]
): Promise<ObjectResource | undefined> {
  return api.jsonUnless({
    method: 'POST',
    path: `${objectPath(bucket, key)}/compose`,
    query: { ...precondition },
    ...jsonBody({
      kind: 'storage#composeRequest',
      sourceObjects: sources.map((name) => ({ name })),
      destination: { contentType }
    }),
    bucket,
    key,
    accept: [501]
  })
}

function passThrough(api: Api, target: Target, keys: readonly string[]): Promise<ObjectResource> {
  async function* contents(): AsyncGenerator<Buffer> {
    for (const key of keys) {
      const content = await openContent(api, target.bucket, await api.resource(target.bucket, key))
      if (content === undefined) throw new StoreError('no_such_upload', 'The upload was given up meanwhile')
      yield* content
    }
  }
  return putObject(api, target, createUploadBody(contents()), target)
}
