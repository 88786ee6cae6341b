import type { KafkaMessage } from './message.ts'

/** Messages that were taken one after the other from the same partition. */
interface Run {
  readonly of: string
  lastCount: number
  at: string
}

/** What has been taken, how much of that has been dealt with, and what of that Kafka has not been told yet. */
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

  /** Everything that was taken up to this one has been dealt with. */
  settle(last: KafkaMessage): void {
    let settled = 0
    for (const { of, at, lastCount } of this.#runs) {
      if (lastCount > last.count) break
      this.#untold.set(of, at)
      settled += 1
    }
    this.#runs.splice(0, settled)
    // It may lie within the next run; what that one says is of its end.
    this.#untold.set(last.position.of, last.position.at)
  }

  untold(): ReadonlyMap<string, string> {
    return new Map(this.#untold)
  }

  /** Kafka knows of these, unless there is more of them by now. */
  told(positions: ReadonlyMap<string, string>): void {
    for (const [of, at] of positions) if (this.#untold.get(of) === at) this.#untold.delete(of)
  }

  /** Others read this partition now. */
  forget(of: string): void {
    this.#runs = this.#runs.filter((run) => run.of !== of)
    this.#untold.delete(of)
  }
}
