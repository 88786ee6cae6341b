import { type Clock, toIso } from '../../engines/clock.ts'
import type { Log } from '../../engines/log.ts'
import type { Metadata } from '../../engines/metadata/index.ts'
import type { Actor } from '../../http/permissions.ts'
import { isNode, jobReference, type Lineage, type Provenance, type Sighting } from '../lineage/index.ts'
import { referenceOf } from './object-view.ts'

/** How long it takes until somebody can see it, and what makes one taking of many requests: a player asks for ranges. */
const TOLD_AFTER_MS = 5000
const MINUTE_MS = 60_000
const MAX_WAITING = 10_000
const TOLD_AT_ONCE = 500

const PROVENANCE: Provenance = { how: 'captured', who: 'buckets' }

export interface TakingNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly log: Log
  /** Buckets of which it is told; `*` is all. */
  readonly lineageDownloads: readonly string[]
  lineage(): Promise<Pick<Lineage, 'saw'>>
}

interface Place {
  readonly bucket: string
  readonly key: string
}

/**
 * Who has taken which objects, where somebody wants to know. Whoever takes one does not wait for it: it is told a few
 * seconds later, with all others. What a process has not told yet is lost when it is killed.
 */
export class Takings {
  readonly #needs: TakingNeeds
  /** What is to be told, by the job and the minute. */
  readonly #waiting = new Map<string, Sighting>()
  #cancelTimer: (() => void) | undefined
  #telling: Promise<void> = Promise.resolve()
  #leftOut = 0

  constructor(needs: TakingNeeds) {
    this.#needs = needs
  }

  /** A user has downloaded an object. */
  downloaded(by: Pick<Actor, 'id' | 'name'>, place: Place): void {
    const { bucket, key } = place
    // A job for each object, so that each edge has a count of its own.
    const reference = jobReference('download', `${by.id}/${bucket}/${key}`)
    this.#note(place, { reference, name: by.name, owners: [by.name], description: `Downloads of ${bucket}/${key}` })
  }

  /** Somebody has opened a link, which is all that is known of them. */
  opened(link: { readonly id: string; readonly created_by: string }, place: Place): void {
    const description = `A link to ${place.bucket}/${place.key}, made by ${link.created_by}`
    this.#note(place, { reference: jobReference('link', link.id), name: `link ${link.id}`, description })
  }

  /** Tells what is left. */
  async close(): Promise<void> {
    this.#cancelTimer?.()
    await this.#tell()
  }

  #note({ bucket, key }: Place, job: Sighting['job']): void {
    const { clock, lineageDownloads } = this.#needs
    if (!lineageDownloads.includes('*') && !lineageDownloads.includes(bucket)) return
    const object = referenceOf(bucket, key)
    if (!isNode(object) || !isNode(job.reference)) return
    const timeMs = clock.now()
    const minute = toIso(timeMs - (timeMs % MINUTE_MS))
    const name = `${job.reference} ${minute}`
    if (this.#waiting.has(name)) return
    if (this.#waiting.size >= MAX_WAITING) {
      this.#leftOut++
      return
    }
    this.#waiting.set(name, {
      job,
      // The same on every replica, so that the same minute is counted once.
      run: { id: minute, state: 'completed', timeMs, isWhole: true },
      inputs: [{ reference: object }],
      outputs: [],
      columns: [],
      provenance: PROVENANCE
    })
    this.#cancelTimer ??= clock.after(TOLD_AFTER_MS, () => void this.#tell())
  }

  #tell(): Promise<void> {
    this.#cancelTimer = undefined
    this.#telling = this.#telling.then(() => this.#tellAll())
    return this.#telling
  }

  async #tellAll(): Promise<void> {
    const { clock, metadata, log } = this.#needs
    if (this.#leftOut > 0)
      log.warn({ count: this.#leftOut }, 'downloads were not told to the lineage: too many at once')
    this.#leftOut = 0
    try {
      while (this.#waiting.size > 0) {
        const some = [...this.#waiting].slice(0, TOLD_AT_ONCE)
        const lineage = await this.#needs.lineage()
        const sightings = some.map(([, sighting]) => sighting)
        await metadata.transaction((tx) => lineage.saw(tx, sightings))
        for (const [name] of some) this.#waiting.delete(name)
      }
    } catch (error) {
      log.warn({ err: error }, 'downloads could not be told to the lineage, and are told later')
      this.#cancelTimer ??= clock.after(MINUTE_MS, () => void this.#tell())
    }
  }
}
