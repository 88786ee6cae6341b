import { isPattern, parsePattern } from '../../../../data/glob.ts'
import { NodeFault } from '../../contract/context.ts'
import type { Gateway } from '../../contract/gateway.ts'
import { type Amount, NOTHING, plus } from './progress.ts'

const PAGE_KEYS = 1000
/** Pages that are read to count objects. Where there are more, the number is not told: counting would take too long. */
const MAX_COUNTED_PAGES = 100
/** How often an object is looked for that was replaced: it may be replaced again meanwhile. */
const MAX_LOOKS = 5

export interface FoundObject {
  readonly key: string
  readonly etag: string
  readonly modifiedAt: string
  readonly sizeBytes: number
}

export interface FetchedObject {
  /** The one that was there, which may have replaced the one that was listed. */
  readonly object: FoundObject
  /** `object://bucket/key`. */
  readonly reference: string
  readonly path: string
  readonly contentType: string
}

export interface ObjectPlace {
  readonly gateway: Gateway
  readonly bucket: string
  /** A key or a pattern. */
  readonly path: string
}

/** Objects in the order in which they are to be read. */
export abstract class Listing {
  readonly place: ObjectPlace
  readonly #matches: (key: string) => boolean
  readonly #prefix: string

  constructor(place: ObjectPlace) {
    this.place = place
    const pattern = isPattern(place.path) ? parsePattern(place.path) : undefined
    this.#prefix = pattern?.prefix ?? place.path
    this.#matches = (key) => key === place.path || (!key.endsWith('/') && pattern?.matches(key) === true)
  }

  /** The next one, the same until it is done; undefined where there is none, or none yet. */
  abstract next(): Promise<FoundObject | undefined>
  /** It is not given again. */
  abstract done(object: FoundObject): void
  /** JSON: which have been done. */
  abstract readonly position: unknown
  /** Whether it knows of more without looking again. */
  abstract readonly hasMore: boolean
  /** When the oldest that is known and waits was written. */
  abstract readonly waitingSince: string | undefined
  /** How many were still to be done at the start; undefined where there is no end, or they are too many to count. */
  abstract count(): Promise<Amount | undefined>

  async find(key: string): Promise<FoundObject | undefined> {
    const { gateway, bucket } = this.place
    const { objects } = await gateway.listObjects({ bucket, prefix: key, after: undefined, limit: 1 })
    const [first] = objects
    return first?.key === key ? foundOf(first) : undefined
  }

  /** Brings it to a file; undefined where it is gone. */
  async fetch(listed: FoundObject, path: string): Promise<FetchedObject | undefined> {
    const { gateway, bucket } = this.place
    let object: FoundObject | undefined = listed
    for (let looks = 0; looks < MAX_LOOKS && object !== undefined; looks++) {
      try {
        const { contentType } = await gateway.fetchObject({ bucket, key: object.key, etag: object.etag }, path)
        return { object, reference: `object://${bucket}/${object.key}`, path, contentType }
      } catch (error) {
        if (!(error instanceof NodeFault) || !GONE.has(error.code)) throw error
        object = await this.find(listed.key)
      }
    }
    if (object === undefined) return undefined
    throw new NodeFault('transient', 'object_changes', `Object ${listed.key} is replaced faster than it can be read`)
  }

  /** A page of those that match, and from where the next one goes on. */
  protected async page(after: string | undefined): Promise<{ objects: FoundObject[]; next: string | undefined }> {
    const { gateway, bucket } = this.place
    const page = await gateway.listObjects({ bucket, prefix: this.#prefix, after, limit: PAGE_KEYS })
    return { objects: page.objects.filter(({ key }) => this.#matches(key)).map(foundOf), next: page.next }
  }
}

const GONE = new Set(['no_such_key', 'precondition_failed', 'not_found'])

const foundOf = ({ key, etag, modifiedAt, sizeBytes }: FoundObject): FoundObject => ({
  key,
  etag,
  modifiedAt,
  sizeBytes
})

/** The objects that are there, each once, in the order of their keys. */
export class ObjectsByKey extends Listing {
  #done: string | undefined
  readonly #doneBefore: string | undefined
  /** Objects up to this key have been read by an earlier run. */
  readonly #readBefore: string | undefined
  #after: string | undefined
  #page: FoundObject[] = []
  #isAtEnd = false

  constructor(place: ObjectPlace, position: unknown, underWay: string | undefined) {
    super(place)
    this.#done = (position as { after?: string } | undefined)?.after
    this.#doneBefore = this.#done
    this.#readBefore = underWay ?? this.#done
  }

  get position(): unknown {
    return this.#done === undefined ? {} : { after: this.#done }
  }

  get hasMore(): boolean {
    return this.#page.length > 0
  }

  get waitingSince(): undefined {
    return undefined
  }

  async next(): Promise<FoundObject | undefined> {
    while (this.#page.length === 0) {
      if (this.#isAtEnd) return undefined
      const { objects, next } = await this.page(this.#after)
      this.#page = objects.filter(({ key }) => comesAfter(key, this.#readBefore))
      this.#after = next
      this.#isAtEnd = next === undefined
    }
    return this.#page[0]
  }

  done({ key }: FoundObject): void {
    this.#done = key
    if (this.#page[0]?.key === key) this.#page.shift()
  }

  async count(): Promise<Amount | undefined> {
    let sum = NOTHING
    let after: string | undefined
    for (let pages = 0; pages < MAX_COUNTED_PAGES; pages++) {
      const { objects, next } = await this.page(after)
      for (const { key, sizeBytes } of objects) {
        if (comesAfter(key, this.#doneBefore)) sum = plus(sum, { objects: 1, bytes: sizeBytes })
      }
      if (next === undefined) return sum
      after = next
    }
    return undefined
  }
}

/** In the order in which stores list keys, which is that of their UTF-8 bytes. */
const comesAfter = (key: string, other: string | undefined): boolean =>
  other === undefined || Buffer.compare(Buffer.from(key), Buffer.from(other)) > 0
