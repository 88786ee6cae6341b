/**
 * Places that many holders share. Nobody gets more of them than are still free: one holder alone gets half, two get a
 * third each, and so on, so that the next holder always finds room.
 */
export class Shares {
  readonly #size: number
  readonly #held = new Map<string, number>()
  #used = 0

  constructor(size: number) {
    this.#size = size
  }

  /** `share`: this holder already has its part; `full`: no place is free for anybody. */
  take(holder: string, count = 1): 'taken' | 'share' | 'full' {
    const free = this.#size - this.#used
    if (free < count) return 'full'
    const held = this.#held.get(holder) ?? 0
    if (held + count > free) return 'share'
    this.#held.set(holder, held + count)
    this.#used += count
    return 'taken'
  }

  giveBack(holder: string, count = 1): void {
    const held = this.heldBy(holder)
    if (held <= count) this.#held.delete(holder)
    else this.#held.set(holder, held - count)
    this.#used -= Math.min(held, count)
  }

  heldBy(holder: string): number {
    return this.#held.get(holder) ?? 0
  }

  /** The holder with the most places. */
  largest(): string | undefined {
    let largest: string | undefined
    let most = 0
    for (const [holder, held] of this.#held) {
      if (held <= most) continue
      largest = holder
      most = held
    }
    return largest
  }
}
