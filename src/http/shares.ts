/**
 * Places that many share. Nobody gets more of them than are still free: one holder alone gets half, two get a third each, and
 * so on, so that whoever comes next finds room however much the others want.
 */
export class Shares {
  readonly #size: number
  readonly #held = new Map<string, number>()
  #used = 0

  constructor(size: number) {
    this.#size = size
  }

  /** `share`: this holder has its part; `full`: there is none for anybody. */
  take(holder: string): 'taken' | 'share' | 'full' {
    const free = this.#size - this.#used
    if (free === 0) return 'full'
    const held = this.#held.get(holder) ?? 0
    if (held >= free) return 'share'
    this.#held.set(holder, held + 1)
    this.#used++
    return 'taken'
  }

  giveBack(holder: string): void {
    const held = this.heldBy(holder)
    if (held === 0) return
    if (held === 1) this.#held.delete(holder)
    else this.#held.set(holder, held - 1)
    this.#used--
  }

  heldBy(holder: string): number {
    return this.#held.get(holder) ?? 0
  }

  /** Who has the most. */
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
