import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Db } from '../../engines/metadata/index.ts'
import {
  chunksOf,
  keyFault,
  type PutOptions,
  readDownload,
  type StoredObject,
  type UploadBody,
  type WriteConditions
} from '../../engines/objects/index.ts'
import { invalidField, Problem } from '../../errors.ts'
import type { Actor } from '../../http/permissions.ts'
import { BytesAnswer, type Performed } from '../../http/route.ts'
import type { Guard } from '../classification/index.ts'
import { dataDeleted } from '../lineage/index.ts'
import { isConditional, judge, rangeOf, writeConditionsOf } from './conditions.ts'
import { beginCopy, type CopiedLevelNeeds } from './copied-levels.ts'
import { type FormFile, readForm } from './form.ts'
import { contentBody, contentTypeOf, rawBody } from './incoming.ts'
import { readObjectCursor, writeObjectCursor } from './object-cursor.ts'
import {
  goneObject,
  headersOf,
  referenceOf,
  requireKey,
  toFolder,
  toListed,
  toWritten,
  validatorsOf,
  written
} from './object-view.ts'
import type { BucketOpener, OpenedBucket } from './opened.ts'
import type { CopyCreate, DeletionCreate, DeletionResult, ObjectQuery, WrittenObject } from './schema.ts'
import { spool } from './spool.ts'
import { withStore } from './store-problems.ts'
import type { Takings } from './takings.ts'

const DEFAULT_LIMIT = 100

export interface ObjectNeeds extends CopiedLevelNeeds {
  readonly opener: BucketOpener
  readonly guard: Pick<Guard, 'requireObject' | 'hasLevel'>
  readonly takings: Pick<Takings, 'downloaded'>
  readonly maxObjectBytes: number
  /** The folder for content that arrives before its key. */
  readonly spoolDir: string
}

/** The facts of a request beside its body. */
export interface Asked {
  readonly headers: IncomingHttpHeaders
  readonly method: string
}

export class Objects {
  readonly #needs: ObjectNeeds

  constructor(needs: ObjectNeeds) {
    this.#needs = needs
  }

  async list(bucket: string, query: ObjectQuery) {
    const { prefix = '', recursive = false, limit = DEFAULT_LIMIT } = query
    const place = { prefix, recursive }
    const after = query.cursor === undefined ? undefined : readObjectCursor(query.cursor, place)
    const { store, backend } = await this.#needs.opener.open(bucket)
    const { entries, next } = await withStore(() => store.list(backend, { prefix, folders: !recursive, limit, after }))
    const isAll = after === undefined && next === undefined
    return {
      bucket,
      prefix,
      objects: entries.map((entry) => ('folder' in entry ? toFolder(entry.folder) : toListed(entry))),
      total: isAll ? entries.length : null,
      nextCursor: next === undefined ? null : writeObjectCursor(next, place)
    }
  }

  /** The content of an object, or its headers alone, for those who may see all of it. */
  async download(actor: Actor, bucket: string, key: string, asked: Asked): Promise<BytesAnswer> {
    await this.#needs.guard.requireObject(actor, bucket, key)
    const content = await this.content(bucket, key, asked)
    if (content.body !== undefined) this.#needs.takings.downloaded(actor, { bucket, key })
    return content
  }

  /** The same, whoever asks; `more` are further headers of the answer. */
  async content(bucket: string, key: string, asked: Asked, more: Record<string, string> = {}): Promise<BytesAnswer> {
    const opened = await this.#needs.opener.open(bucket)
    const { store, backend } = opened
    if (keyFault(key) !== undefined) throw new Problem('not_found')
    const head = asked.method === 'HEAD'
    let ifMatch: string | undefined
    let known: StoredObject | undefined
    if (head || isConditional(asked.headers)) {
      const object = await withStore(() => store.head(backend, key))
      const verdict = judge(asked.headers, object)
      if (verdict === 'failed') throw new Problem('precondition_failed', { members: { currentEtag: object.etag } })
      if (verdict === 'not modified') return new BytesAnswer(304, validatorsOf(object), undefined)
      const headers = { ...headersOf(object), ...more, 'content-length': String(object.sizeBytes) }
      if (head) return new BytesAnswer(200, headers, undefined)
      ifMatch = object.etag
      known = object
    }
    const range = rangeOf(asked.headers, known)
    const { object, start, end, body } = await withStore(() => store.get(backend, key, { range, ifMatch }))
    const headers: Record<string, string> = { ...headersOf(object), ...more, 'content-length': String(end - start) }
    if (range === undefined) return new BytesAnswer(200, headers, body)
    return new BytesAnswer(206, { ...headers, 'content-range': `bytes ${start}-${end - 1}/${object.sizeBytes}` }, body)
  }

  async putRaw(bucket: string, key: string, raw: IncomingMessage): Promise<Performed<WrittenObject>> {
    requireKey(key, '/path/key')
    const contentType = contentTypeOf(raw.headers['content-type'])
    const conditions = writeConditionsOf(raw.headers)
    const body = rawBody(raw, this.#needs.maxObjectBytes)
    const opened = await this.#needs.opener.open(bucket)
    return this.#put(opened, key, body, { contentType, ...conditions })
  }

  /** Content that the server itself makes. */
  async write(
    bucket: string,
    key: string,
    content: AsyncIterable<Uint8Array>,
    contentType: string
  ): Promise<Performed<WrittenObject>> {
    requireKey(key, '/key')
    const opened = await this.#needs.opener.open(bucket)
    return this.#put(opened, key, contentBody(content, {}, this.#needs.maxObjectBytes), { contentType })
  }

  async putForm(bucket: string, raw: IncomingMessage): Promise<Performed<WrittenObject>> {
    const opened = await this.#needs.opener.open(bucket)
    const conditions = writeConditionsOf(raw.headers)
    const form = await readForm(raw)
    const { maxObjectBytes, spoolDir } = this.#needs
    const options = { contentType: contentTypeOf(form.contentType), ...conditions }
    if (form.key !== undefined) {
      const key = keyOf(form, form.key)
      return this.#put(opened, key, contentBody(form.content, raw.headers, maxObjectBytes), options)
    }
    // The key may come after the file.
    const incoming = contentBody(form.content, raw.headers, maxObjectBytes)
    const spooled = await spool(chunksOf(incoming), spoolDir)
    try {
      const key = keyOf(form, form.finalKey())
      return await this.#put(
        opened,
        key,
        contentBody(spooled.read(), {}, maxObjectBytes, { sizeBytes: spooled.sizeBytes }),
        options
      )
    } finally {
      await spooled.remove()
    }
  }

  /** Whether a form has the content that an earlier one was answered for. */
  async isSameForm(raw: IncomingMessage, answered: WrittenObject): Promise<boolean> {
    const form = await readForm(raw)
    const body = contentBody(form.content, {}, this.#needs.maxObjectBytes)
    for await (const _ of body.batches());
    const { sha256 } = await body.digests()
    return sha256 === answered.sha256 && keyOf(form, form.finalKey()) === answered.name
  }

  /** Who copies an object could read the copy, so that the caller has to be allowed to see it. */
  async copy(
    actor: Actor,
    bucket: string,
    body: CopyCreate,
    headers: IncomingHttpHeaders
  ): Promise<Performed<WrittenObject>> {
    requireKey(body.key, '/key')
    await this.#needs.guard.requireObject(actor, body.fromBucket ?? bucket, body.fromKey)
    const conditions = writeConditionsOf(headers)
    const to = await this.#needs.opener.open(bucket)
    const from = body.fromBucket === undefined ? to : await this.#needs.opener.open(body.fromBucket)
    if (keyFault(body.fromKey) !== undefined) throw new Problem('not_found')
    const source = { bucket: from.row.name, key: body.fromKey }
    const target = { bucket: to.row.name, key: body.key }
    const requireSource = () => withStore(() => from.store.head(from.backend, body.fromKey))
    const begun = await beginCopy(this.#needs, source, target, requireSource)
    if (begun === undefined) return this.#copy(from, to, body, conditions)
    try {
      return { ...(await this.#copy(from, to, body, conditions)), commit: begun.made }
    } catch (error) {
      await begun.failed()
      throw error
    }
  }

  async delete(bucket: string, key: string): Promise<Performed<null>> {
    const opened = await this.#needs.opener.open(bucket)
    if (keyFault(key) !== undefined) throw new Problem('not_found')
    const before = await withStore(() => opened.store.head(opened.backend, key))
    const [failure] = await withStore(() => opened.store.delete(opened.backend, [key]))
    if (failure !== undefined)
      throw new Problem('store_failed', { detail: failure.message, members: { cause: failure.code } })
    const changes = [goneObject(bucket, key, toWritten(opened, before))] as const
    return { answer: null, changes, commit: this.#gone(bucket, [key]) }
  }

  async deleteMany(bucket: string, { keys }: DeletionCreate): Promise<Performed<DeletionResult>> {
    const opened = await this.#needs.opener.open(bucket)
    const failed: DeletionResult['failed'] = []
    const usable = keys.filter((key, index) => {
      const fault = keyFault(key)
      if (fault !== undefined) failed.push({ index, key, code: 'invalid_key', message: `The key ${fault}.` })
      return fault === undefined
    })
    const failures = await withStore(() => opened.store.delete(opened.backend, usable))
    for (const { key, code, message } of failures) failed.push({ index: keys.indexOf(key), key, code, message })
    const stays = new Set(failed.map(({ key }) => key))
    const deleted = usable.filter((key) => !stays.has(key))
    const gone = deleted.map((key) => goneObject(bucket, key, { name: key }))
    const answer = { deleted: gone.length, failed: failed.toSorted((a, b) => a.index - b.index) }
    const [first = { type: 'bucket', id: bucket, before: {}, after: {} }, ...others] = gone
    return { answer, changes: [first, ...others], commit: this.#gone(bucket, deleted) }
  }

  /** In the transaction that tells of the deletion, so that the lineage knows of it if anybody does. */
  #gone(bucket: string, keys: readonly string[]): (tx: Db) => Promise<void> {
    const references = keys.map((key) => referenceOf(bucket, key))
    return (tx) => dataDeleted(tx, references, this.#needs.clock.now())
  }

  async #put(
    opened: OpenedBucket,
    key: string,
    body: UploadBody,
    options: PutOptions
  ): Promise<Performed<WrittenObject>> {
    const stored = await withStore(() => opened.store.put(opened.backend, key, body, options))
    const { sha256 } = await body.digests()
    return written(opened, { ...stored, sha256 }, this.#needs.clock)
  }

  async #copy(
    from: OpenedBucket,
    to: OpenedBucket,
    body: CopyCreate,
    conditions: WriteConditions
  ): Promise<Performed<WrittenObject>> {
    if (from.row.provider_id !== to.row.provider_id) return this.#copyAcross(from, to, body, conditions)
    const source = { bucket: from.backend, key: body.fromKey }
    const stored = await withStore(() => to.store.copy(source, { bucket: to.backend, key: body.key }, conditions))
    return written(to, stored, this.#needs.clock)
  }

  /** Copies between providers: the bytes pass through this server. */
  async #copyAcross(
    from: OpenedBucket,
    to: OpenedBucket,
    { key, fromKey }: CopyCreate,
    conditions: WriteConditions
  ): Promise<Performed<WrittenObject>> {
    const { object, body } = await withStore(() => from.store.get(from.backend, fromKey))
    const source = contentBody(readDownload(body), {}, this.#needs.maxObjectBytes, { sizeBytes: object.sizeBytes })
    return this.#put(to, key, source, { contentType: object.contentType, ...conditions })
  }
}

/** The key of an uploaded file. No `key`: the file's name; a `key` that ends in a slash: the folder for it. */
function keyOf({ fileName }: FormFile, key: string | undefined): string {
  const isFolder = key === undefined || key === '' || key.endsWith('/')
  if (isFolder && fileName === '') throw invalidField('/key', 'is required where the file has no name')
  const whole = isFolder ? `${key ?? ''}${fileName}` : key
  requireKey(whole, '/key')
  return whole
}
