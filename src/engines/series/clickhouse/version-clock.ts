const TWO_32 = 2 ** 32

/**
 * Versions that only rise, so that a point written later has the greater one: milliseconds since the epoch times
 * 2^20, or the last version plus one. Several servers that write the same tag agree as far as their clocks do.
 */
export class VersionClock {
  readonly #nowMs: () => number
  /** The two halves of the last version. */
  high = 0
  low = 0

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Moves on to the present, if that is later than the last version. */
  catchUp(): void {
    const ms = this.#nowMs()
    const high = Math.floor(ms / 4096)
    const low = (ms % 4096) * 2 ** 20
    if (high > this.high || (high === this.high && low > this.low)) {
      this.high = high
      this.low = low
    }
  }

  /** Puts the next version into the halves. */
  step(): void {
    this.low += 1
    if (this.low < TWO_32) return
    this.low = 0
    this.high += 1
  }

  next(): bigint {
    this.catchUp()
    this.step()
    return BigInt(this.high) * BigInt(TWO_32) + BigInt(this.low)
  }

  /** From now on gives only versions greater than this one, which the database has. */
  passBy(version: bigint): void {
    if (version <= BigInt(this.high) * BigInt(TWO_32) + BigInt(this.low)) return
    this.high = Number(version / BigInt(TWO_32))
    this.low = Number(version % BigInt(TWO_32))
  }
}
