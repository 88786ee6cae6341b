/** What tells one version of an object from all others. */
export interface Written {
  readonly key: string
  readonly modifiedAt: string
}

/** Stores do not show objects in the exact order of their times. One that shows up this much too late is still seen. */
const LATE_MS = 60_000
const MAX_OBJECTS = 1000
/** Characters of all keys together. They are part of the position, which is written with every checkpoint. */
const MAX_CHARS = 65_536

/** Which objects have been read, in little room: all up to one of them, and some after it. */
export class SeenObjects {
  #floor: Written | undefined
  /** In their order. */
  readonly #seen: Written[]
  readonly #names: Set<string>
  #chars: number

  constructor(position: unknown) {
    const { floor, seen = [] } = (position ?? {}) as { floor?: Pair; seen?: Pair[] }
    this.#floor = floor && writtenOf(floor)
    this.#seen = seen.map(writtenOf)
    this.#names = new Set(this.#seen.map(nameOf))
    this.#chars = this.#seen.reduce((sum, { key }) => sum + key.length, 0)
  }

  get position(): unknown {
    return { ...(this.#floor && { floor: pairOf(this.#floor) }), seen: this.#seen.map(pairOf) }
  }

  has(object: Written): boolean {
    if (this.#floor !== undefined && !after(object, this.#floor)) return true
    return this.#names.has(nameOf(object))
  }

  add({ key, modifiedAt }: Written): void {
    if (this.has({ key, modifiedAt })) return
    const at = this.#seen.findLastIndex((one) => after({ key, modifiedAt }, one)) + 1
    this.#seen.splice(at, 0, { key, modifiedAt })
    this.#names.add(nameOf({ key, modifiedAt }))
    this.#chars += key.length
    const newest = this.#seen.at(-1) as Written
    while (this.#isTooMuch(newest)) {
      this.#floor = this.#seen.shift() as Written
      this.#names.delete(nameOf(this.#floor))
      this.#chars -= this.#floor.key.length
    }
  }

  #isTooMuch(newest: Written): boolean {
    const [oldest] = this.#seen
    if (oldest === undefined || this.#seen.length === 1) return false
    const isOld = Date.parse(oldest.modifiedAt) < Date.parse(newest.modifiedAt) - LATE_MS
    return isOld || this.#seen.length > MAX_OBJECTS || this.#chars > MAX_CHARS
  }
}

type Pair = readonly [modifiedAt: string, key: string]
const nameOf = ({ key, modifiedAt }: Written): string => `${modifiedAt} ${key}`
const pairOf = ({ key, modifiedAt }: Written): Pair => [modifiedAt, key]
const writtenOf = ([modifiedAt, key]: Pair): Written => ({ key, modifiedAt })

/** Whether the first was written after the second; at the same time, the keys decide. */
export function after(a: Written, b: Written): boolean {
  return a.modifiedAt === b.modifiedAt ? a.key > b.key : a.modifiedAt > b.modifiedAt
}
