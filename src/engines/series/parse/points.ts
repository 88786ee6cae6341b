import type { TagType } from '../index.ts'

/** A bit in `flags`, beside the quality (0 good, 1 uncertain, 2 bad), for points whose value is in `exact`. */
export const HAS_EXACT = 4

/** Times are split into a day since the epoch and the nanoseconds into it, because both fit doubles exactly. */
export const NS_PER_DAY = 86_400_000_000_000

/** Points in columns: parsers fill them, engines take them. A batch is used for one write after another. */
export class PointBatch {
  length = 0
  /** The registry's number of the tag. */
  tags = new Int32Array(1024)
  days = new Int32Array(1024)
  /** Nanoseconds into the day. */
  ns = new Float64Array(1024)
  /** The value: 1 and 0 for booleans, NaN for texts; the nearest double for whole numbers that a double can't hold. */
  values = new Float64Array(1024)
  /** The quality and `HAS_EXACT`. */
  flags = new Uint8Array(1024)
  /** By row: texts, and whole numbers that a double can't hold. */
  readonly exact = new Map<number, string | bigint>()

  clear(): void {
    this.length = 0
    this.exact.clear()
  }

  /** Makes room for so many more points. */
  reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.tags.length) return
    const size = Math.max(needed, this.tags.length * 2)
    this.tags = grown(this.tags, new Int32Array(size))
    this.days = grown(this.days, new Int32Array(size))
    this.ns = grown(this.ns, new Float64Array(size))
    this.values = grown(this.values, new Float64Array(size))
    this.flags = grown(this.flags, new Uint8Array(size))
  }
}

function grown<T extends Int32Array | Float64Array | Uint8Array>(from: T, to: T): T {
  to.set(from as never)
  return to
}

/** The tags of one source, as a parser sees them. */
export interface TagRegistry {
  /** The tag of this name, made if there is none; undefined where the source has as many as it may have. */
  resolve(name: string, labels: Readonly<Record<string, string>>, type: TagType): KnownTag | undefined
}

export interface KnownTag {
  /** The number that goes into `PointBatch.tags`. */
  readonly id: number
  /** The type of the first point. A point of another type is refused. */
  readonly type: TagType
}
