import { HAS_EXACT, type PointBatch } from '../../parse/points.ts'
import { BLOCK_POINTS, placeOf, SLAB_POINTS, type Slab, slabOf } from './blocks.ts'

/**
 * Points of one tag on one day, as other threads are told of them. The order of the members is that of
 * `CHAIN_FIELDS`.
 */
export interface Chain {
  readonly tag: number
  readonly day: number
  readonly firstBlock: number
  readonly count: number
  /** Whether the points came sorted by time, each time once. */
  readonly isSorted: boolean
  readonly hasExact: boolean
}

/** Chains in columns, in which they are passed to another thread. */
export interface ChainColumns {
  readonly length: number
  readonly tag: Int32Array<ArrayBuffer>
  readonly day: Int32Array<ArrayBuffer>
  readonly firstBlock: Int32Array<ArrayBuffer>
  readonly count: Int32Array<ArrayBuffer>
  readonly state: Uint8Array<ArrayBuffer>
}

export function chainAt(chains: ChainColumns, index: number): Chain {
  const state = chains.state[index] as number
  return {
    tag: chains.tag[index] as number,
    day: chains.day[index] as number,
    firstBlock: chains.firstBlock[index] as number,
    count: chains.count[index] as number,
    isSorted: (state & UNSORTED) === 0,
    hasExact: (state & EXACT) !== 0
  }
}

const UNSORTED = 1
const EXACT = 2

/** The points of one log, in memory: a chain of blocks for each tag and day. */
export class Generation {
  readonly number: number
  readonly slabs: Slab[] = []
  /** Texts, and whole numbers that a double can't hold, by slot. */
  readonly exact = new Map<number, string | bigint>()
  points = 0
  /** The length of all texts, which count as memory too. */
  textChars = 0
  #blocks = 0
  #chains = 0
  #tag = new Int32Array(1024)
  #day = new Int32Array(1024)
  #first = new Int32Array(1024)
  #tail = new Int32Array(1024)
  #count = new Int32Array(1024)
  #state = new Uint8Array(1024)
  #lastNs = new Float64Array(1024)
  /** For each chain, the chain of the same tag that was begun before it. */
  #earlier = new Int32Array(1024)
  /** For each tag, the chain used last, plus one. */
  #current = new Int32Array(1024)
  readonly #byTagAndDay = new Map<number, number>()
  readonly #newSlab: () => Slab

  constructor(number: number, newSlab: () => Slab) {
    this.number = number
    this.#newSlab = newSlab
  }

  /** The room taken, in points: partly filled blocks count whole. */
  get slots(): number {
    return this.#blocks * BLOCK_POINTS + this.textChars / 16
  }

  append({ length, tags, days, ns, values, flags, exact }: PointBatch): void {
    for (let i = 0; i < length; i++) {
      const tag = tags[i] as number
      const day = days[i] as number
      let chain = tag < this.#current.length ? (this.#current[tag] as number) - 1 : -1
      if (chain < 0 || this.#day[chain] !== day) chain = this.#chainOf(tag, day)
      const slot = this.#nextSlot(chain)
      const slab = this.slabs[slabOf(slot)] as Slab
      const place = placeOf(slot)
      const time = ns[i] as number
      slab.ns[place] = time
      slab.values[place] = values[i] as number
      const flag = flags[i] as number
      slab.flags[place] = flag
      if (time > (this.#lastNs[chain] as number)) this.#lastNs[chain] = time
      else this.#state[chain] = (this.#state[chain] as number) | UNSORTED
      if ((flag & HAS_EXACT) !== 0) this.#keepExact(chain, slot, exact.get(i))
    }
    this.points += length
  }

  /** All chains, or those with the numbers in `wanted`. */
  columns(wanted?: ArrayLike<number>): ChainColumns {
    const length = wanted?.length ?? this.#chains
    const take = <T extends Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(from: T): T => {
      const to = from.slice(0, length) as T
      if (wanted !== undefined) for (let i = 0; i < length; i++) to[i] = from[wanted[i] as number] as number
      return to
    }
    return {
      length,
      tag: take(this.#tag),
      day: take(this.#day),
      firstBlock: take(this.#first),
      count: take(this.#count),
      state: take(this.#state)
    }
  }

  /** Adds the numbers of a tag's chains from `fromDay` to `toDay`. */
  chainsOf(tag: number, fromDay: number, toDay: number, into: number[]): void {
    let chain = tag < this.#current.length ? (this.#current[tag] as number) - 1 : -1
    for (; chain >= 0; chain = this.#earlier[chain] as number) {
      const day = this.#day[chain] as number
      if (day >= fromDay && day <= toDay) into.push(chain)
    }
  }

  #nextSlot(chain: number): number {
    const count = this.#count[chain] as number
    this.#count[chain] = count + 1
    const within = count % BLOCK_POINTS
    if (within === 0) this.#extend(chain, count === 0)
    return (this.#tail[chain] as number) * BLOCK_POINTS + within
  }

  #extend(chain: number, isFirst: boolean): void {
    const block = this.#blocks++
    if (block * BLOCK_POINTS === this.slabs.length * SLAB_POINTS) {
      this.slabs.push(this.#newSlab())
    }
    if (isFirst) {
      this.#first[chain] = block
    } else {
      const slot = (this.#tail[chain] as number) * BLOCK_POINTS
      const slab = this.slabs[slabOf(slot)] as Slab
      slab.next[placeOf(slot) / BLOCK_POINTS] = block
    }
    this.#tail[chain] = block
  }

  #keepExact(chain: number, slot: number, value: string | bigint | undefined): void {
    this.#state[chain] = (this.#state[chain] as number) | EXACT
    this.exact.set(slot, value as string | bigint)
    this.textChars += typeof value === 'string' ? value.length + 64 : 64
  }

  #chainOf(tag: number, day: number): number {
    this.#reserveTag(tag)
    // The days of all 64-bit nanoseconds are less than 2^17 from the epoch.
    const key = tag * 262_144 + (day + 131_072)
    const current = (this.#current[tag] as number) - 1
    let chain = this.#byTagAndDay.get(key)
    if (chain === undefined) {
      chain = this.#begin(tag, day, current)
      this.#byTagAndDay.set(key, chain)
      this.#current[tag] = chain + 1
    }
    return chain
  }

  #begin(tag: number, day: number, earlier: number): number {
    const chain = this.#chains++
    if (chain === this.#tag.length) this.#growChains()
    this.#tag[chain] = tag
    this.#day[chain] = day
    this.#lastNs[chain] = -1
    this.#earlier[chain] = earlier
    return chain
  }

  #growChains(): void {
    const size = this.#tag.length * 2
    const wider = (from: Int32Array<ArrayBuffer>) => {
      const to = new Int32Array(size)
      to.set(from)
      return to
    }
    this.#tag = wider(this.#tag)
    this.#day = wider(this.#day)
    this.#first = wider(this.#first)
    this.#tail = wider(this.#tail)
    this.#count = wider(this.#count)
    this.#earlier = wider(this.#earlier)
    const state = new Uint8Array(size)
    state.set(this.#state)
    this.#state = state
    const lastNs = new Float64Array(size)
    lastNs.set(this.#lastNs)
    this.#lastNs = lastNs
  }

  #reserveTag(tag: number): void {
    if (tag < this.#current.length) return
    const wider = new Int32Array(Math.max(tag + 1, this.#current.length * 2))
    wider.set(this.#current)
    this.#current = wider
  }
}
