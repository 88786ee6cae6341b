import { setTimeout as delay } from 'node:timers/promises'
import { parseReference } from '../../../../data/reference.ts'
import { durationMs } from '../../contract/config-parts.ts'
import type { Batch, Progress, Source, SourceContext } from '../../contract/source.ts'
import type { FileSourceConfig } from './config.ts'
import { type FoundObject, type Listing, ObjectsByKey } from './listing.ts'
import { type Amount, FileProgress, NOTHING, plus } from './progress.ts'
import { ObjectReader, type ReadSoFar } from './reader.ts'
import type { FoundTypes } from './types.ts'
import { WatchedObjects } from './watch.ts'

const DEFAULT_INTERVAL_MS = 5000

interface Position {
  readonly objects: unknown
  /** The object under way. */
  readonly object?: FoundObject & ReadSoFar
  /** Types of columns of CSV, which are those of the first object. */
  readonly found?: FoundTypes
  /** Objects that have been read to their end. */
  readonly done?: Amount
}

export class FileReads implements Source {
  readonly #context: SourceContext<FileSourceConfig>
  readonly #listing: Listing
  #resumed: Position['object']
  #reader: ReadOf | undefined
  #opened = 0
  #lookAgainAtMs = 0
  #found: FoundTypes
  /** Objects that have been read to their end. */
  #done: Amount
  readonly #progress: FileProgress
  #isCounting = false
  #hasFound: boolean

  constructor(context: SourceContext<FileSourceConfig>) {
    this.#context = context
    const { objects, object, found = {}, done = NOTHING } = (context.position ?? {}) as Partial<Position>
    const { watch = false, reference } = context.config
    const { owner: bucket, path } = parseReference(reference) as { owner: string; path: string }
    const place = { gateway: context.gateway, bucket, path }
    this.#listing = watch ? new WatchedObjects(place, objects) : new ObjectsByKey(place, objects, object?.key)
    this.#resumed = object
    this.#found = found
    this.#done = done
    this.#progress = new FileProgress(done)
    this.#hasFound = context.position !== undefined
  }

  async next({ waitMs, signal }: { waitMs: number; signal: AbortSignal }): Promise<Batch | 'idle' | 'ended'> {
    for (;;) {
      signal.throwIfAborted()
      this.#reader ??= await this.#open()
      if (this.#reader === undefined) {
        if (this.#context.config.watch !== true) return this.#ended()
        return this.#idle(waitMs, signal)
      }
      const { object, reader } = this.#reader
      const read = await reader.next()
      if (read === undefined || read.isLast) {
        this.#finish(object)
        this.#reader = undefined
      }
      if (read === undefined) continue
      const { batch, isLast, soFar } = read
      const position: Position = {
        objects: this.#listing.position,
        ...(!isLast && { object: { ...object, ...soFar } }),
        ...(reader.types.types !== undefined && { found: reader.types }),
        done: this.#done
      }
      const isThrough = this.#progress.gives(isLast ? this.#done : this.#within(object, reader))
      const release = () => {
        isThrough()
        return batch.release()
      }
      return { ...batch, position, release }
    }
  }

  lagMs(): number | undefined {
    const since = this.#reader?.object.modifiedAt ?? this.#listing.waitingSince
    return since === undefined ? 0 : Math.max(0, this.#context.now() - Date.parse(since))
  }

  progress(): Progress {
    return this.#progress.figures
  }

  async close(): Promise<void> {}

  /** Beside the reading, which does not wait for it. That it can't be counted is no reason not to read. */
  async #count(): Promise<void> {
    this.#isCounting = true
    const done = this.#done
    const remaining = await this.#listing.count().catch(() => undefined)
    if (remaining !== undefined) this.#progress.counted(plus(done, remaining))
  }

  #finish(object: FoundObject): void {
    this.#listing.done(object)
    this.#done = plus(this.#done, { objects: 1, bytes: object.sizeBytes })
  }

  /** What is done in the middle of an object. */
  #within(object: FoundObject, reader: ObjectReader): Amount {
    return plus(this.#done, { objects: 0, bytes: Math.floor(object.sizeBytes * reader.share) })
  }

  #ended(): 'ended' {
    const { log, config } = this.#context
    if (!this.#hasFound) log('warn', `No object matches ${config.reference}, so that there is nothing to read`)
    this.#hasFound = true
    this.#progress.ends(this.#done)
    return 'ended'
  }

  async #idle(waitMs: number, signal: AbortSignal): Promise<'idle'> {
    const { elapsed, config } = this.#context
    if (elapsed() >= this.#lookAgainAtMs) {
      this.#lookAgainAtMs =
        elapsed() + (config.interval === undefined ? DEFAULT_INTERVAL_MS : durationMs(config.interval))
    }
    await delay(Math.max(1, Math.min(waitMs, this.#lookAgainAtMs - elapsed())), undefined, { signal })
    return 'idle'
  }

  /** The next object, or undefined where there is none, or none yet. */
  async #open(): Promise<ReadOf | undefined> {
    const { elapsed, log } = this.#context
    if (this.#resumed !== undefined) return this.#resume(this.#resumed)
    if (elapsed() < this.#lookAgainAtMs && !this.#listing.hasMore) return undefined
    for (;;) {
      const object = await this.#listing.next()
      if (object === undefined) return undefined
      this.#hasFound = true
      const opened = await this.#read(object, { row: 0, rejected: 0 })
      if (opened !== undefined) return opened
      log('warn', `Object ${object.key} was there, and was gone when it was to be read`)
      this.#finish(object)
    }
  }

  /** Goes on in the middle of an object. */
  async #resume({ row, rejected, ...object }: FoundObject & ReadSoFar): Promise<ReadOf | undefined> {
    const { log } = this.#context
    const current = await this.#listing.find(object.key)
    const opened = current?.etag === object.etag ? await this.#read(current, { row, rejected }) : undefined
    this.#resumed = undefined
    if (opened !== undefined) {
      this.#progress.reached(this.#within(opened.object, opened.reader))
      return opened
    }
    this.#listing.done(object)
    const fate = current === undefined ? 'removed' : 'replaced'
    log('warn', `Object ${object.key} was ${fate} when ${row} of its records had been read; the others are lost`)
    // What has replaced it is another object; where they are watched, it is found as such.
    const isFound = current !== undefined && this.#context.config.watch !== true
    return (isFound ? await this.#read(current, { row: 0, rejected: 0 }) : undefined) ?? this.#open()
  }

  async #read(object: FoundObject, from: ReadSoFar): Promise<ReadOf | undefined> {
    this.#opened += 1
    const fetched = await this.#listing.fetch(object, `${this.#context.folder}/object-${this.#opened}`)
    if (fetched === undefined) return undefined
    if (!this.#isCounting) void this.#count()
    const reader = await ObjectReader.open(
      this.#context,
      fetched,
      this.#found,
      fetched.object.etag === object.etag ? from : undefined
    )
    this.#found = reader.types
    return { object: fetched.object, reader }
  }
}

interface ReadOf {
  readonly object: FoundObject
  readonly reader: ObjectReader
}
