/** The number of points in a block of a chain. It is small, so that a tag with one point takes little. */
export const BLOCK_POINTS = 8
const SLAB_BITS = 16
/** The number of points in a slab. */
export const SLAB_POINTS = 1 << SLAB_BITS
const SLAB_MASK = SLAB_POINTS - 1
const SLAB_BLOCKS = SLAB_POINTS / BLOCK_POINTS

/** Memory for points, shared between threads: one writes, the others read only what they were told of. */
export interface Slab {
  /** Nanoseconds into the day. */
  readonly ns: Float64Array<SharedArrayBuffer>
  readonly values: Float64Array<SharedArrayBuffer>
  readonly flags: Uint8Array<SharedArrayBuffer>
  /** For each block of this slab, the number of the next block of its chain. */
  readonly next: Int32Array<SharedArrayBuffer>
}

function createSlab(): Slab {
  return {
    ns: new Float64Array(new SharedArrayBuffer(SLAB_POINTS * 8)),
    values: new Float64Array(new SharedArrayBuffer(SLAB_POINTS * 8)),
    flags: new Uint8Array(new SharedArrayBuffer(SLAB_POINTS)),
    next: new Int32Array(new SharedArrayBuffer(SLAB_BLOCKS * 4))
  }
}

/**
 * Slabs that are used again. An idle thread does not collect garbage, and would hold on to memory that was once
 * shared with it; so no slab is given up while it may be needed again.
 */
export class SlabPool {
  readonly #free: Slab[] = []
  readonly #max: number

  constructor(maxPoints: number) {
    this.#max = Math.ceil(maxPoints / SLAB_POINTS)
  }

  take(): Slab {
    return this.#free.pop() ?? createSlab()
  }

  /** Takes back slabs that nobody reads any more. */
  giveBack(slabs: readonly Slab[]): void {
    this.#free.push(...slabs.slice(0, Math.max(0, this.#max - this.#free.length)))
  }
}

export const slabOf = (slot: number) => slot >>> SLAB_BITS
export const placeOf = (slot: number) => slot & SLAB_MASK

/** Points of a chain, in the order in which they were written. */
export interface ChainPoints {
  readonly ns: Float64Array
  readonly values: Float64Array
  readonly flags: Uint8Array
  /** The slot of each point; undefined unless asked for. */
  readonly slots: Int32Array | undefined
}

/** Follows a chain from its first block. Points after `count` may be written at the same time. */
export function readChain(slabs: readonly Slab[], firstBlock: number, count: number, withSlots: boolean): ChainPoints {
  const ns = new Float64Array(count)
  const values = new Float64Array(count)
  const flags = new Uint8Array(count)
  const slots = withSlots ? new Int32Array(count) : undefined
  let block = firstBlock
  for (let at = 0; at < count; at += BLOCK_POINTS) {
    const slot = block * BLOCK_POINTS
    const slab = slabs[slabOf(slot)] as Slab
    const place = placeOf(slot)
    const taken = Math.min(BLOCK_POINTS, count - at)
    for (let i = 0; i < taken; i++) {
      ns[at + i] = slab.ns[place + i] as number
      values[at + i] = slab.values[place + i] as number
      flags[at + i] = slab.flags[place + i] as number
    }
    if (slots !== undefined) for (let i = 0; i < taken; i++) slots[at + i] = slot + i
    block = slab.next[place / BLOCK_POINTS] as number
  }
  return { ns, values, flags, slots }
}
