import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { StoreError } from '../errors.ts'
import type { WriteConditions } from '../index.ts'
import type { ObjectRow } from './database.ts'
import { Marks } from './marks.ts'
import type { IndexRequest, NewObject } from './requests.ts'

/** Files that a commit has added to the store, and those that are not needed any more. */
export interface Moves {
  readonly arrived: string[]
  readonly left: string[]
}

/** The effects of a batch of changes. */
export interface Batch extends Moves {
  /** How many objects and bytes it has added; negative where it has removed more. */
  readonly growth: { objects: number; bytes: number }
}

export const emptyBatch = (): Batch => ({ arrived: [], left: [], growth: { objects: 0, bytes: 0 } })

type Earlier = Pick<ObjectRow, 'md5' | 'file' | 'inline' | 'size'>

/** The changes to the index, each as a few statements within the transaction of its batch. */
export class IndexWriter {
  readonly #findBucket: StatementSync
  readonly #addBucket: StatementSync
  readonly #dropBucket: StatementSync
  readonly #anyObject: StatementSync
  readonly #find: StatementSync
  readonly #put: StatementSync
  readonly #drop: StatementSync
  readonly #addInline: StatementSync
  readonly #dropInline: StatementSync
  readonly #arrive: StatementSync
  readonly #leave: StatementSync
  readonly #addSums: StatementSync
  readonly #dropSums: StatementSync
  readonly #grow: StatementSync
  /** Rewrites the first page of the file with its present value. */
  readonly #writeNothing: StatementSync
  readonly #marks: Marks

  constructor(database: DatabaseSync) {
    this.#findBucket = database.prepare('select 1 from buckets where name = ?')
    this.#addBucket = database.prepare('insert or ignore into buckets (name) values (?)')
    this.#dropBucket = database.prepare('delete from buckets where name = ?')
    this.#anyObject = database.prepare('select 1 from objects where bucket = ? limit 1')
    this.#find = database.prepare('select md5, file, inline, size from objects where bucket = ? and key = ?')
    this.#put = database.prepare('insert or replace into objects values (?, ?, ?, ?, ?, ?, ?, ?, ?)')
    this.#drop = database.prepare('delete from objects where bucket = ? and key = ?')
    this.#addInline = database.prepare('insert into inlined (content) values (?)')
    this.#dropInline = database.prepare('delete from inlined where id = ?')
    this.#arrive = database.prepare('insert into arriving (file) values (?)')
    this.#leave = database.prepare('insert into leaving (file) values (?)')
    this.#addSums = database.prepare('insert or replace into block_sums values (?, ?)')
    this.#dropSums = database.prepare('delete from block_sums where file = ?')
    this.#grow = database.prepare('update totals set objects = objects + ?, bytes = bytes + ?')
    this.#writeNothing = database.prepare('pragma user_version = 0')
    this.#marks = new Marks(database)
  }

  /** Throws a `StoreError` before anything was changed. */
  run(request: IndexRequest, batch: Batch): void {
    switch (request.op) {
      case 'createBucket':
        this.#addBucket.run(request.bucket)
        return
      case 'deleteBucket':
        this.#deleteBucket(request.bucket)
        return
      case 'put':
        this.#putObject(request.object, request.conditions, batch)
        return
      case 'delete':
        this.#requireBucket(request.bucket)
        for (const key of request.keys) this.#deleteObject(request.bucket, key, batch)
        return
      case 'mark':
        this.#marks.add(request.seen, request.foundAt, request.what)
        return
      case 'unmark':
        this.#marks.remove(request.bucket, request.key)
        return
      case 'sum':
        this.#addSums.run(request.file, request.sums)
        return
      case 'probe':
        this.#writeNothing.run()
    }
  }

  /** To be called before the commit, once for the batch: a trigger would cost time with every change. */
  keepTotals({ growth: { objects, bytes } }: Batch): void {
    if (objects !== 0 || bytes !== 0) this.#grow.run(objects, bytes)
  }

  #deleteBucket(bucket: string): void {
    this.#requireBucket(bucket)
    if (this.#anyObject.get(bucket) !== undefined) {
      throw new StoreError('bucket_not_empty', `The bucket ${bucket} is not empty`)
    }
    this.#dropBucket.run(bucket)
  }

  #putObject(object: NewObject, conditions: WriteConditions, batch: Batch): void {
    const { bucket, key, size, modifiedAt, md5, sha256, contentType, content, sums } = object
    this.#requireBucket(bucket)
    const earlier = this.#find.get(bucket, key) as Earlier | undefined
    requireConditions(earlier, conditions)
    if (earlier !== undefined) this.#discard(earlier, batch)
    let file: string | null = null
    let inline: number | bigint | null = null
    if (typeof content === 'string') {
      file = content
      this.#arrive.run(file)
      batch.arrived.push(file)
      if (sums !== undefined) this.#addSums.run(file, sums)
    } else {
      inline = this.#addInline.run(content).lastInsertRowid
    }
    this.#marks.remove(bucket, key)
    batch.growth.objects++
    batch.growth.bytes += size
    this.#put.run(bucket, key, size, modifiedAt, md5, sha256, contentType, file, inline)
  }

  #deleteObject(bucket: string, key: string, batch: Batch): void {
    const earlier = this.#find.get(bucket, key) as Earlier | undefined
    if (earlier === undefined) return
    this.#discard(earlier, batch)
    this.#marks.remove(bucket, key)
    this.#drop.run(bucket, key)
  }

  #discard({ file, inline, size }: Earlier, { left, growth }: Batch): void {
    growth.objects--
    growth.bytes -= size
    if (inline !== null) this.#dropInline.run(inline)
    if (file === null) return
    this.#leave.run(file)
    this.#dropSums.run(file)
    left.push(file)
  }

  #requireBucket(bucket: string): void {
    if (this.#findBucket.get(bucket) === undefined) throw noSuchBucket(bucket)
  }
}

function requireConditions(earlier: Earlier | undefined, { ifAbsent, ifMatch }: WriteConditions): void {
  if (ifAbsent === true && earlier !== undefined) {
    throw new StoreError('precondition_failed', 'There is an object with this key already')
  }
  if (ifMatch !== undefined && (earlier === undefined || etagOf(earlier.md5) !== ifMatch)) {
    throw new StoreError('precondition_failed', 'The object is not the one that was expected')
  }
}

export function etagOf(md5: string): string {
  return `"${md5}"`
}

export function noSuchBucket(bucket: string): StoreError {
  return new StoreError('no_such_bucket', `There is no bucket ${bucket}`)
}
