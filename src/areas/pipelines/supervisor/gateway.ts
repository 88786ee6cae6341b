import { join } from 'node:path'
import type { KeptSecrets } from '../../../engines/drivers/index.ts'
import type { MakeId } from '../../../engines/ids.ts'
import { createUploadBody, type ObjectStore, StoreError, saveDownload } from '../../../engines/objects/index.ts'
import { type Series, SeriesError } from '../../../engines/series/index.ts'
import { Problem } from '../../../errors.ts'
import { NodeFault } from '../contract/context.ts'
import { toFault } from '../contract/faults.ts'
import type { Gateway } from '../contract/gateway.ts'
import { type KeptFiles, linkOrCopy } from './kept-files.ts'

export interface GatewayNeeds {
  readonly makeId: MakeId
  readonly keptFiles: KeptFiles
  now(): number
  series(): Promise<Series>
  /** Throws a `Problem` where there is no such bucket. */
  openBucket(name: string): Promise<{ store: ObjectStore; backend: string }>
  sourceExists(sourceId: string): Promise<boolean>
  /** The secrets of the connector that a ticket is for. */
  secretsWith(ticket: string): Promise<KeptSecrets>
}

/** The engines, for nodes in other processes. */
export function createGateway(needs: GatewayNeeds): Gateway {
  const { makeId, keptFiles, now } = needs
  // All refusals are told: each is a record that somebody will look for.
  const points = (sourceId: string, format: 'line' | 'ndjson', body: Uint8Array) => {
    const request = { sourceId, format, precision: 'ns' as const, nowMs: now() }
    return { ...request, body: body as Uint8Array<ArrayBuffer>, maxErrors: Number.MAX_SAFE_INTEGER }
  }
  return {
    writeSeries: (sourceId, format, body) =>
      asFaults(async () => {
        await requireSource(needs, sourceId)
        return (await needs.series()).write(points(sourceId, format, body))
      }),
    judgeSeries: (sourceId, format, body) =>
      asFaults(async () => {
        await requireSource(needs, sourceId)
        return (await needs.series()).judge(points(sourceId, format, body))
      }),
    exportSeries: (sourceId, tags, folder) =>
      asFaults(async () => {
        await requireSource(needs, sourceId)
        const exported = await (await needs.series()).export(sourceId, tags)
        try {
          const files = exported.files.map((file, i) => [file, join(folder, `series-${i}.parquet`)] as const)
          for (const [from, to] of files) await linkOrCopy(from, to)
          return files.map(([, to]) => to)
        } finally {
          await exported.release()
        }
      }),
    listObjects: ({ bucket, prefix, after, limit }) =>
      inBucket(bucket, async () => {
        const { store, backend } = await needs.openBucket(bucket)
        const page = await store.list(backend, { prefix, folders: false, limit, after })
        const objects = page.entries.flatMap((entry) => ('key' in entry ? [entry] : []))
        return { objects, next: page.next }
      }),
    fetchObject: ({ bucket, key, etag }, path) =>
      inBucket(bucket, async () => {
        const { store, backend } = await needs.openBucket(bucket)
        const opened = await store.get(backend, key, { ifMatch: etag })
        await saveDownload(opened.body, path)
        return { contentType: opened.object.contentType }
      }),
    keepFile: (path) =>
      asFaults(async () => {
        const name = makeId('file')
        await keptFiles.keep(name, path)
        return name
      }),
    loadFile: (name, path) => asFaults(() => keptFiles.load(name, path)),
    publish: ({ file, bucket, key, contentType }) =>
      inBucket(bucket, async () => {
        const { store, backend } = await needs.openBucket(bucket)
        const kept = await keptFiles.read(file)
        const body = createUploadBody(kept.body, { sizeBytes: kept.sizeBytes })
        await store.put(backend, key, body, { contentType })
      }),
    currentSecret: (ticket, field) => asFaults(async () => (await needs.secretsWith(ticket)).current(field)),
    replaceSecret: (ticket, ...secret) => asFaults(async () => (await needs.secretsWith(ticket)).replace(...secret))
  }
}

async function requireSource({ sourceExists }: GatewayNeeds, sourceId: string): Promise<void> {
  if (await sourceExists(sourceId)) return
  throw new NodeFault('fatal', 'no_such_source', `There is no source ${sourceId} in the catalog`)
}

async function asFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toNodeFault(error)
  }
}

/** A fault that names the bucket, which those of stores and of buckets that are gone do not. */
async function inBucket<T>(bucket: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const fault = toNodeFault(error)
    if (!(fault instanceof NodeFault) || fault.message.includes(bucket)) throw fault
    const isGone = error instanceof Problem && error.status === 404
    const message = isGone ? `There is no bucket ${bucket}` : `Bucket ${bucket}: ${fault.message}`
    throw new NodeFault(fault.kind, fault.code, message, { cause: error })
  }
}

/** Codes of a store after which trying again does not help. */
const FINAL_STORE_CODES = new Set([
  'no_such_bucket',
  'no_such_key',
  'precondition_failed',
  'address_refused',
  'unknown_access_key',
  'wrong_secret',
  'access_denied'
])

function toNodeFault(error: unknown): unknown {
  if (error instanceof StoreError) {
    const kind = FINAL_STORE_CODES.has(error.code) ? 'fatal' : 'transient'
    return new NodeFault(kind, error.code, error.message, { cause: error })
  }
  if (error instanceof SeriesError) return new NodeFault('transient', error.code, error.message, { cause: error })
  if (error instanceof Problem) {
    return new NodeFault(error.status < 500 ? 'fatal' : 'transient', error.code, error.message, { cause: error })
  }
  return toFault(error)
}
