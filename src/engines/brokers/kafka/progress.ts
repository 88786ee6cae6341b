import type { KafkaMessage } from './message.ts'

/** Consecutive messages that were taken from the same partition. */
interface Run {
  readonly of: string
  lastCount: number
  at: string
}

/** What was taken, how much of it was processed, and how much of that is not committed yet. */
export class Progress {
  #runs: Run[] = []
  readonly #untold = new Map<string, string>()

  take(messages: readonly KafkaMessage[]): void {
    let run = this.#runs.at(-1)
    for (const { position, count } of messages) {
      if (run?.of !== position.of) {
        run = { of: position.of, lastCount: count, at: position.at }
        this.#runs.push(run)
      }
      run.lastCount = count
      run.at = position.at
    }
  }

  /** Says that everything taken up to this message was processed. */
  settle(last: KafkaMessage): void {
    let settled = 0
    for (const { of, at, lastCount } of this.#runs) {
      if (lastCount > last.count) break
      this.#untold.set(of, at)
      settled += 1
    }
    this.#runs.splice(0, settled)
    // The message may be within the next run, whose own position is that of its end.
    this.#untold.set(last.position.of, last.position.at)
  }

  untold(): ReadonlyMap<string, string> {
    return new Map(this.#untold)
  }

  /** Removes committed positions, unless they have moved on meanwhile. */
  told(positions: ReadonlyMap<string, string>): void {
    for (const [of, at] of positions) if (this.#untold.get(of) === at) this.#untold.delete(of)
  }

  /** Forgets a partition that another member reads now. */
  forget(of: string): void {
    this.#runs = this.#runs.filter((run) => run.of !== of)
    this.#untold.delete(of)
  }
}
