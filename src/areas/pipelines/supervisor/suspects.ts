/** How long a run has to go alone without harm before it shares a process again: four times as long each time it is suspected. */
const FIRST_PROOF_MS = 5000
const MAX_PROOF_MS = 600_000
/** A suspicion that is older than this has nothing to do with a new one. */
const FORGET_AFTER_MS = 3_600_000

interface Suspicion {
  readonly times: number
  readonly sinceMs: number
}

/** How a run has fared since it was begun alone. */
export interface Conduct {
  readonly forMs: number
  readonly hasCommitted: boolean
  /** Whether it is at a batch. */
  readonly isAtWork: boolean
}

/** Runs that may have ended the process they were in. Each goes on in one of its own until it has shown that it does no harm. */
export class Suspects {
  readonly #suspicions = new Map<string, Suspicion>()
  readonly #alone = new Set<string>()

  add(runId: string, nowMs: number): void {
    const before = this.#suspicions.get(runId)
    const isRecent = before !== undefined && nowMs - before.sinceMs < FORGET_AFTER_MS
    this.#suspicions.set(runId, { times: isRecent ? before.times + 1 : 1, sinceMs: nowMs })
    this.#alone.add(runId)
    for (const [id, { sinceMs }] of this.#suspicions) if (nowMs - sinceMs >= FORGET_AFTER_MS) this.forget(id)
  }

  has(runId: string): boolean {
    return this.#alone.has(runId)
  }

  /** Whether it may share a process from now on. Suspected again it has to prove more than the last time. */
  clear(runId: string, { forMs, hasCommitted, isAtWork }: Conduct): boolean {
    const { times } = this.#suspicions.get(runId) ?? { times: 1 }
    const proofMs = Math.min(FIRST_PROOF_MS * 4 ** (times - 1), MAX_PROOF_MS)
    const isQuick = times === 1 && hasCommitted
    // A statement may be at work for a minute before it takes what it takes.
    const isLongEnough = forMs >= (hasCommitted || !isAtWork ? proofMs : Math.max(4 * proofMs, MAX_PROOF_MS))
    const isHarmless = isQuick || isLongEnough
    if (isHarmless) this.#alone.delete(runId)
    return isHarmless
  }

  /** It has ended. */
  forget(runId: string): void {
    this.#suspicions.delete(runId)
    this.#alone.delete(runId)
  }
}
