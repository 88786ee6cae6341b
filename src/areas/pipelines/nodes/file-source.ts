import { setTimeout as delay } from 'node:timers/promises'
import { MAX_REFERENCE_CHARS, parseReference } from '../../../data/reference.ts'
import { OneOf } from '../../../http/schemas.ts'
import { Type } from '../../../http/type.ts'
import { Config, type ConfigOf, DurationText, durationFaults, durationMs } from './config-parts.ts'
import { type FoundObject, type Listing, ObjectsByKey } from './file-listing.ts'
import { ObjectReader, type ReadSoFar } from './file-reader.ts'
import { WatchedObjects } from './file-watch.ts'
import { sourceType } from './node-type.ts'
import type { Batch, Source, SourceContext } from './source.ts'

const DEFAULT_INTERVAL_MS = 5000

const FileSourceConfig = Config({
  reference: Type.String({
    minLength: 1,
    maxLength: MAX_REFERENCE_CHARS,
    description:
      'The objects: object://bucket/key, where the key may hold `*`, `**`, `?` and `[a-z]`, such as object://b/in/*.csv'
  }),
  format: Type.Optional(
    OneOf(
      ['csv', 'tsv', 'json', 'ndjson', 'parquet'],
      'The form of the objects; else the ending of each key tells it (a further .gz where it is compressed), or its type. Numbers in CSV and JSON become DOUBLE, objects and arrays in JSON become JSON'
    )
  ),
  watch: Type.Optional(
    Type.Boolean({
      description:
        'Whether objects that appear or are replaced later are read too, without end, in the order in which they were written; otherwise those that are there are read by key, and then it has ended'
    })
  ),
  interval: Type.Optional(DurationText('With `watch`, how often to look for new objects; 5s unless said'))
})
export type FileSourceConfig = ConfigOf<typeof FileSourceConfig>

export const fileSource = sourceType<FileSourceConfig>({
  type: 'file',
  about: 'Reads the records in objects of a bucket: CSV, TSV, JSON, NDJSON or Parquet.',
  config: FileSourceConfig,
  check(config) {
    const parsed = parseReference(config.reference)
    const problem =
      'problem' in parsed ? parsed.problem : parsed.scheme === 'object' ? undefined : 'must be an object://'
    return [
      ...(problem === undefined ? [] : [{ pointer: '/reference', message: problem }]),
      ...durationFaults(config, ['interval'])
    ]
  },
  references: ({ reference }) => [reference],
  isBounded: ({ watch }) => watch !== true,
  open: async (context) => new FileSource(context)
})

interface Position {
  readonly objects: unknown
  /** The object under way. */
  readonly object?: FoundObject & ReadSoFar
}

class FileSource implements Source {
  readonly #context: SourceContext<FileSourceConfig>
  readonly #listing: Listing
  #resumed: Position['object']
  #reader: ReadOf | undefined
  #opened = 0
  #lookAgainAtMs = 0

  constructor(context: SourceContext<FileSourceConfig>) {
    this.#context = context
    const { objects, object } = (context.position ?? {}) as Partial<Position>
    const { watch = false, reference } = context.config
    const { owner: bucket, path } = parseReference(reference) as { owner: string; path: string }
    const place = { gateway: context.gateway, bucket, path }
    this.#listing = watch ? new WatchedObjects(place, objects) : new ObjectsByKey(place, objects, object?.key)
    this.#resumed = object
  }

  async next({ waitMs, signal }: { waitMs: number; signal: AbortSignal }): Promise<Batch | 'idle' | 'ended'> {
    for (;;) {
      signal.throwIfAborted()
      this.#reader ??= await this.#open()
      if (this.#reader === undefined) {
        if (this.#context.config.watch !== true) return 'ended'
        return this.#idle(waitMs, signal)
      }
      const { object, reader } = this.#reader
      const read = await reader.next()
      if (read === undefined || read.isLast) {
        this.#listing.done(object)
        this.#reader = undefined
      }
      if (read === undefined) continue
      const { batch, isLast, soFar } = read
      const position: Position = {
        objects: this.#listing.position,
        ...(!isLast && { object: { ...object, ...soFar } })
      }
      return { ...batch, position }
    }
  }

  lagMs(): number | undefined {
    const since = this.#reader?.object.modifiedAt ?? this.#listing.waitingSince
    return since === undefined ? 0 : Math.max(0, this.#context.now() - Date.parse(since))
  }

  async close(): Promise<void> {}

  async #idle(waitMs: number, signal: AbortSignal): Promise<'idle'> {
    const { now, config } = this.#context
    if (now() >= this.#lookAgainAtMs) {
      this.#lookAgainAtMs = now() + (config.interval === undefined ? DEFAULT_INTERVAL_MS : durationMs(config.interval))
    }
    await delay(Math.max(1, Math.min(waitMs, this.#lookAgainAtMs - now())), undefined, { signal })
    return 'idle'
  }

  /** The next object, or undefined where there is none, or none yet. */
  async #open(): Promise<ReadOf | undefined> {
    const { now, log } = this.#context
    if (this.#resumed !== undefined) return this.#resume(this.#resumed)
    if (now() < this.#lookAgainAtMs && !this.#listing.hasMore) return undefined
    for (;;) {
      const object = await this.#listing.next()
      if (object === undefined) return undefined
      const opened = await this.#read(object, { row: 0, rejected: 0 })
      if (opened !== undefined) return opened
      log('warn', `Object ${object.key} was there, and was gone when it was to be read`)
      this.#listing.done(object)
    }
  }

  /** Goes on in the middle of an object. */
  async #resume({ row, rejected, ...object }: FoundObject & ReadSoFar): Promise<ReadOf | undefined> {
    const { log } = this.#context
    const current = await this.#listing.find(object.key)
    const opened = current?.etag === object.etag ? await this.#read(object, { row, rejected }) : undefined
    this.#resumed = undefined
    if (opened !== undefined) return opened
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
    const reader = await ObjectReader.open(
      this.#context,
      fetched,
      fetched.object.etag === object.etag ? from : undefined
    )
    return { object: fetched.object, reader }
  }
}

interface ReadOf {
  readonly object: FoundObject
  readonly reader: ObjectReader
}
