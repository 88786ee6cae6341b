import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Clock, toIso } from '../../engines/clock.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Metadata } from '../../engines/metadata/index.ts'
import {
  MIN_PART_BYTES,
  type MultipartStore,
  StoreError,
  supportsMultipart,
  type UploadAddress
} from '../../engines/objects/index.ts'
import type { Actor } from '../../http/permissions.ts'
import type { Performed } from '../../http/route.ts'
import { orNotFound } from '../../http/rows.ts'
import { writeConditionsOf } from './conditions.ts'
import { Problem } from './errors.ts'
import { contentTypeOf, rawBody } from './incoming.ts'
import type { PartRow, UploadRow } from './migrations.ts'
import { requireKey, written } from './object-view.ts'
import type { BucketOpener, OpenedBucket } from './opened.ts'
import type { Part, Upload, UploadComplete, UploadCreate, UploadQuery, WrittenObject } from './schema.ts'
import * as store from './store.ts'
import { withStore } from './store-problems.ts'

const KEPT_MS = 7 * 24 * 3600_000

export interface UploadNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly opener: BucketOpener
  readonly maxObjectBytes: number
}

/**
 * Uploads of large objects in parts. The parts that have arrived are recorded, so an upload can go on after any
 * interruption.
 */
export class Uploads {
  readonly #needs: UploadNeeds

  constructor(needs: UploadNeeds) {
    this.#needs = needs
  }

  async list(bucket: string, query: UploadQuery) {
    const { metadata, opener } = this.#needs
    const { rows, total, nextCursor } = await store.listUploads(metadata.db, bucket, query)
    await opener.require(bucket)
    const parts = Map.groupBy(
      await store.partsOf(
        metadata.db,
        rows.map(({ id }) => id)
      ),
      (part) => part.upload_id
    )
    return { uploads: rows.map((row) => toUpload(row, parts.get(row.id) ?? [])), total, nextCursor }
  }

  async get(bucket: string, id: string): Promise<Upload> {
    const { db } = this.#needs.metadata
    return toUpload(await this.#find(bucket, id), await store.findParts(db, id))
  }

  async start(actor: Actor, bucket: string, body: UploadCreate): Promise<Performed<Upload>> {
    const { clock, makeId } = this.#needs
    requireKey(body.key, '/key')
    const contentType = contentTypeOf(body.contentType)
    const { multipart, backend } = await this.#open(bucket)
    const now = clock.now()
    const row: UploadRow = {
      id: makeId('up'),
      bucket,
      key: body.key,
      content_type: contentType,
      store_upload_id: await withStore(() => multipart.startUpload(backend, body.key, contentType)),
      created_by: actor.id,
      created_at: toIso(now),
      expires_at: toIso(now + KEPT_MS)
    }
    const upload = toUpload(row, [])
    return {
      answer: upload,
      changes: [{ type: 'upload', id: row.id, after: upload }],
      headers: { location: `/api/buckets/${bucket}/uploads/${row.id}` },
      commit: async (tx) => {
        await store.insertUpload(tx, row)
      }
    }
  }

  async putPart(bucket: string, id: string, number: number, raw: IncomingMessage): Promise<Performed<Part>> {
    const { clock, maxObjectBytes } = this.#needs
    const row = await this.#find(bucket, id)
    const { multipart, backend } = await this.#open(bucket)
    const body = rawBody(raw, maxObjectBytes)
    const stored = await withStore(() => multipart.putPart(addressOf(backend, row), number, body))
    const part: PartRow = {
      upload_id: id,
      number,
      size: stored.sizeBytes,
      etag: stored.etag,
      received_at: clock.iso()
    }
    const answer = toPart(part)
    return {
      answer,
      changes: [{ type: 'upload', id, before: {}, after: { part: number, size: part.size } }],
      commit: async (tx) => {
        await orNotFound(store.findUpload(tx, bucket, id))
        await store.putPart(tx, part)
      }
    }
  }

  async complete(
    bucket: string,
    id: string,
    body: UploadComplete,
    headers: IncomingHttpHeaders
  ): Promise<Performed<WrittenObject>> {
    const { metadata, clock, maxObjectBytes } = this.#needs
    const conditions = writeConditionsOf(headers)
    const row = await this.#find(bucket, id)
    const parts = chooseParts(await store.findParts(metadata.db, id), body.parts)
    const sizeBytes = parts.reduce((sum, { size }) => sum + size, 0)
    if (sizeBytes > maxObjectBytes) {
      throw new Problem('payload_too_large', { detail: `Objects may have ${maxObjectBytes} bytes (MAX_OBJECT_BYTES).` })
    }
    const opened = await this.#open(bucket)
    const stored = await withStore(() =>
      opened.multipart.completeUpload(
        addressOf(opened.backend, row),
        parts.map(({ number, size, etag }) => ({ number, sizeBytes: size, etag })),
        { contentType: row.content_type, ...conditions }
      )
    )
    const performed = written(opened, stored, clock)
    return {
      ...performed,
      commit: async (tx) => {
        await store.deleteUpload(tx, id)
        await performed.commit(tx)
      }
    }
  }

  async abort(bucket: string, id: string): Promise<Performed<null>> {
    const { db } = this.#needs.metadata
    const row = await this.#find(bucket, id)
    const before = toUpload(row, await store.findParts(db, id))
    await this.#abort(row)
    return {
      answer: null,
      changes: [{ type: 'upload', id, before }],
      commit: async (tx) => {
        await store.deleteUpload(tx, id)
      }
    }
  }

  /** Aborts a few expired uploads; answers how many there were. */
  async abortExpired(limit: number, forget: (id: string) => Promise<unknown>): Promise<number> {
    const { metadata, clock } = this.#needs
    const expired = await store.expiredUploads(metadata.db, clock.iso(), limit)
    for (const row of expired) {
      await this.#abort(row)
      await forget(row.id)
    }
    return expired.length
  }

  async #abort(row: UploadRow): Promise<void> {
    const { multipart, backend } = await this.#open(row.bucket)
    try {
      await multipart.abortUpload(addressOf(backend, row))
    } catch (error) {
      const isGone = error instanceof StoreError && (error.code === 'no_such_upload' || error.code === 'no_such_bucket')
      if (!isGone) await withStore(() => Promise.reject(error))
    }
  }

  async #find(bucket: string, id: string): Promise<UploadRow> {
    const row = await orNotFound(store.findUpload(this.#needs.metadata.db, bucket, id))
    return row
  }

  async #open(bucket: string): Promise<OpenedBucket & { multipart: MultipartStore }> {
    const opened = await this.#needs.opener.open(bucket)
    if (supportsMultipart(opened.store)) return { ...opened, multipart: opened.store }
    throw new Problem('unprocessable', {
      detail: 'The provider takes no uploads in parts; send the object in one piece.'
    })
  }
}

/** The parts that make up the object; throws where some are missing. */
function chooseParts(there: readonly PartRow[], wanted: UploadComplete['parts']): PartRow[] {
  const byNumber = new Map(there.map((part) => [part.number, part]))
  const numbers =
    wanted?.map(({ number }) => number) ?? Array.from({ length: there.at(-1)?.number ?? 1 }, (_, i) => i + 1)
  const errors = numbers.flatMap((number, i) => {
    const part = byNumber.get(number)
    const etag = wanted?.[i]?.etag
    const pointer = `/parts/${i}`
    if (i > 0 && number <= (numbers[i - 1] as number))
      return [{ pointer, message: 'must have a higher number than the one before' }]
    if (part === undefined) return [{ pointer, message: `part ${number} has not arrived` }]
    if (etag !== undefined && etag !== part.etag) return [{ pointer, message: `part ${number} has another content` }]
    const isLast = i === numbers.length - 1
    if (!isLast && part.size < MIN_PART_BYTES)
      return [{ pointer, message: `part ${number} has less than 5 MiB and is not the last` }]
    return []
  })
  if (errors.length > 0) throw new Problem('upload_incomplete', { errors: errors.slice(0, 20) })
  return numbers.map((number) => byNumber.get(number) as PartRow)
}

function addressOf(backend: string, row: UploadRow): UploadAddress {
  return { bucket: backend, key: row.key, uploadId: row.store_upload_id }
}

function toPart({ number, size, etag, received_at }: PartRow): Part {
  return { number, size, etag, receivedAt: received_at }
}

function toUpload(row: UploadRow, parts: readonly PartRow[]): Upload {
  return {
    id: row.id,
    bucket: row.bucket,
    key: row.key,
    contentType: row.content_type,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    minPartBytes: MIN_PART_BYTES,
    parts: parts.map(toPart)
  }
}
