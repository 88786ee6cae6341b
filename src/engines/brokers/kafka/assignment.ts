import type { ConsumeOptions } from '../index.ts'
import { parsePartitionName } from './message.ts'

/** A partition from when this consumer was given it to when it was taken away again. */
export class Claim {
  readonly of: string
  readonly topic: string
  readonly partition: number
  /** The offset that is read next; undefined until it has been found out. */
  next: bigint | undefined
  isLost = false

  constructor(of: string, next: bigint | undefined) {
    this.of = of
    this.next = next
    const { topic, partition } = parsePartitionName(of)
    this.topic = topic
    this.partition = partition
  }
}

/** Which partitions this consumer reads, and where each goes on. */
export class Assignment {
  readonly #starts: Map<string, bigint>
  #claims = new Map<string, Claim>()

  constructor(positions: ConsumeOptions['positions'] = {}) {
    this.#starts = new Map(Object.entries(positions).map(([of, at]) => [of, BigInt(at)]))
  }

  /** For those that nothing better is known of. */
  addStarts(starts: ReadonlyMap<string, bigint>): void {
    for (const [of, at] of starts) if (!this.#starts.has(of)) this.#starts.set(of, at)
  }

  has(of: string): boolean {
    return this.#claims.has(of)
  }

  get claims(): readonly Claim[] {
    return Array.from(this.#claims.values())
  }

  /**
   * The group has shared out its partitions again. Those that stay go on where they were, new ones begin where they
   * were asked to; where neither is known, Kafka knows. Answers what was lost.
   */
  replace(partitions: readonly string[]): readonly string[] {
    const claims = new Map<string, Claim>()
    for (const of of partitions) claims.set(of, this.#claims.get(of) ?? new Claim(of, this.#starts.get(of)))
    const lost = this.claims.filter(({ of }) => !claims.has(of))
    for (const claim of lost) {
      claim.isLost = true
      // What was asked for holds once: whoever reads it in the meantime gets further.
      this.#starts.delete(claim.of)
    }
    this.#claims = claims
    return lost.map(({ of }) => of)
  }
}
