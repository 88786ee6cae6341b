import { type FoundObject, Listing, type ObjectPlace } from './listing.ts'
import { after, SeenObjects } from './seen.ts'

/** Objects that wait to be read. Where there are more, they are listed again once these are done. */
const MAX_WAITING = 1000

/** Objects as they appear, by the time at which they were written. */
export class WatchedObjects extends Listing {
  readonly #seen: SeenObjects
  #waiting: FoundObject[] = []
  #isCut = false

  constructor(place: ObjectPlace, position: unknown) {
    super(place)
    this.#seen = new SeenObjects(position)
  }

  get position(): unknown {
    return this.#seen.position
  }

  get hasMore(): boolean {
    return this.#waiting.length > 0 || this.#isCut
  }

  get waitingSince(): string | undefined {
    return this.#waiting[0]?.modifiedAt
  }

  async next(): Promise<FoundObject | undefined> {
    if (this.#waiting.length === 0) await this.#look()
    return this.#waiting[0]
  }

  async count(): Promise<undefined> {
    return undefined
  }

  done(object: FoundObject): void {
    this.#seen.add(object)
    if (this.#waiting[0]?.key === object.key) this.#waiting.shift()
  }

  async #look(): Promise<void> {
    let waiting: FoundObject[] = []
    this.#isCut = false
    for (let from: string | undefined, isMore = true; isMore; ) {
      const { objects, next } = await this.page(from)
      waiting.push(...objects.filter((object) => !this.#seen.has(object)))
      waiting.sort((a, b) => (after(a, b) ? 1 : -1))
      if (waiting.length > MAX_WAITING) {
        waiting = waiting.slice(0, MAX_WAITING)
        this.#isCut = true
      }
      from = next
      isMore = next !== undefined
    }
    this.#waiting = waiting
  }
}
