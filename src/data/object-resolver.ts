import { join } from 'node:path'
import {
  type DownloadBody,
  FileSlice,
  type ListedObject,
  type ObjectStore,
  StoreError,
  saveDownload
} from '../engines/objects/index.ts'
import { reasonOf } from './budget.ts'
import { DataError } from './errors.ts'
import { isPattern, parsePattern } from './glob.ts'
import { formOf, type ObjectForm, relationOf } from './object-formats.ts'
import { type DataReference, formatReference } from './reference.ts'
import type { Relation, RelationResolver, ResolvePlace } from './relation.ts'

/** A bucket with the store that keeps it. */
export interface ReadableBucket {
  readonly store: ObjectStore
  /** The store's own name for the bucket. */
  readonly backend: string
}

const MAX_OBJECTS = 1000
/** A limit, because a pattern that begins with a star has to look at every key. */
const MAX_KEYS_LOOKED_AT = 100_000
const PAGE_KEYS = 1000
const DOWNLOADS_AT_ONCE = 4

/**
 * `object://bucket/key`, where the key may be a pattern (`glob.ts`); an object whose key is exactly that text comes first.
 * Objects are checked and copied, or linked where they are files of this server: stores keep them in places and forms that DuckDB
 * knows nothing of.
 */
export class ObjectResolver implements RelationResolver {
  readonly scheme = 'object'
  readonly #openBucket: (name: string) => Promise<ReadableBucket | undefined>

  /** `openBucket` answers undefined where there is no such bucket. */
  constructor(openBucket: (name: string) => Promise<ReadableBucket | undefined>) {
    this.#openBucket = openBucket
  }

  async resolve(reference: DataReference, place: ResolvePlace): Promise<Relation> {
    const bucket = await this.#openBucket(reference.owner)
    if (bucket === undefined) throw new DataError('not_found', `There is no bucket ${reference.owner}.`)
    try {
      const objects = await find(bucket, reference, place)
      return await copy(bucket, objects, place)
    } catch (error) {
      if (error instanceof DataError) throw error
      if (place.signal.aborted) throw reasonOf(place.signal)
      throw new DataError('unavailable', `${formatReference(reference)} can't be read: ${storeMessage(error)}`, {
        cause: error
      })
    }
  }
}

function storeMessage(error: unknown): string {
  return error instanceof StoreError ? error.message : 'the copy failed.'
}

async function find(bucket: ReadableBucket, reference: DataReference, place: ResolvePlace): Promise<ListedObject[]> {
  const exact = await headOf(bucket, reference.path)
  const found = exact === undefined ? await matchingObjects(bucket, reference.path, place.signal) : [exact]
  if (found.length === 0) throw new DataError('nothing_matches', `There is no object ${formatReference(reference)}.`)
  place.claimBytes(found.reduce((sum, object) => sum + object.sizeBytes, 0))
  return found
}

async function headOf({ store, backend }: ReadableBucket, key: string): Promise<ListedObject | undefined> {
  try {
    return await store.head(backend, key)
  } catch (error) {
    if (error instanceof StoreError && error.code === 'no_such_key') return undefined
    throw error
  }
}

/** What is another one whenever the content of an object is; undefined where there is no object by exactly that key, or it is not told. */
export async function versionOf(bucket: ReadableBucket, key: string): Promise<string | undefined> {
  const object = await headOf(bucket, key).catch(() => undefined)
  return object && `${object.etag} ${object.sizeBytes} ${object.modifiedAt}`
}

/** Whether there is an object by exactly that key. */
export async function hasObject(bucket: ReadableBucket, key: string): Promise<boolean> {
  return (await headOf(bucket, key)) !== undefined
}

/** The objects whose keys a pattern matches; none where it is no pattern. */
export async function matchingObjects(
  { store, backend }: ReadableBucket,
  path: string,
  signal: AbortSignal
): Promise<ListedObject[]> {
  const found: ListedObject[] = []
  if (!isPattern(path)) return found
  const pattern = parsePattern(path)
  let after: string | undefined
  for (let lookedAt = 0; ; lookedAt += PAGE_KEYS) {
    if (signal.aborted) throw reasonOf(signal)
    if (lookedAt >= MAX_KEYS_LOOKED_AT) {
      throw new DataError('too_many_objects', `More than ${MAX_KEYS_LOOKED_AT} keys begin with '${pattern.prefix}'.`)
    }
    const page = await store.list(backend, { prefix: pattern.prefix, folders: false, limit: PAGE_KEYS, after })
    for (const entry of page.entries) {
      if ('key' in entry && !entry.key.endsWith('/') && pattern.matches(entry.key)) found.push(entry)
    }
    if (found.length > MAX_OBJECTS) {
      throw new DataError('too_many_objects', `More than ${MAX_OBJECTS} objects match '${path}'.`)
    }
    if (page.next === undefined) return found
    after = page.next
  }
}

async function copy(bucket: ReadableBucket, objects: readonly ListedObject[], place: ResolvePlace): Promise<Relation> {
  const copies: Copied[] = []
  const queue = objects.entries()
  const failed = new AbortController()
  const signal = AbortSignal.any([place.signal, failed.signal])
  const work = async () => {
    for (const [index, object] of queue) {
      copies[index] = await download(bucket, object, join(place.folder, `${index + 1}`), signal)
    }
  }
  const downloads = Array.from({ length: DOWNLOADS_AT_ONCE }, work)
  try {
    await Promise.all(downloads)
  } finally {
    failed.abort()
    // The caller removes the folder next, so no download may still write to it.
    await Promise.allSettled(downloads)
  }
  const formats = new Set(copies.map(({ form }) => form.format))
  const [format] = formats
  if (format === undefined || formats.size > 1) {
    throw new DataError('formats_mixed', `The objects have several formats: ${[...formats].join(', ')}.`)
  }
  const files = copies.map(({ file }) => file)
  const names = objects.map(({ key }) => key)
  return { ...relationOf(format, files), files, names, release: async () => {} }
}

interface Copied {
  readonly file: string
  readonly form: ObjectForm
}

async function download(
  { store, backend }: ReadableBucket,
  { key, etag }: ListedObject,
  path: string,
  signal: AbortSignal
): Promise<Copied> {
  if (signal.aborted) throw reasonOf(signal)
  // `ifMatch`: room was claimed for the size of this object, not of one that replaces it meanwhile.
  const { object, body } = await store.get(backend, key, { ifMatch: etag })
  const form = formOf(key, object.contentType)
  if (form === undefined) {
    await discard(body)
    throw new DataError('format_unknown', `Neither the name nor the type of '${key}' says CSV, TSV, JSON or Parquet.`)
  }
  const file = `${path}.${form.extension}`
  await saveDownload(body, file, signal)
  return { file, form }
}

async function discard(body: DownloadBody): Promise<void> {
  if (body instanceof FileSlice) await body.close()
  else if (!Buffer.isBuffer(body)) body.destroy()
}
