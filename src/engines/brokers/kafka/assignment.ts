import type { ConsumeOptions } from '../index.ts'
import { parsePartitionName } from './message.ts'

/** A partition, from when this consumer was assigned it to when it was taken away. */
export class Claim {
  readonly of: string
  readonly topic: string
  readonly partition: number
  /** The offset to read next; undefined until it is known. */
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

/** The partitions that this consumer reads, and the offset of each. */
export class Assignment {
  readonly #starts: Map<string, bigint>
  #claims = new Map<string, Claim>()

  constructor(positions: ConsumeOptions['positions'] = {}) {
    this.#starts = new Map(Object.entries(positions).map(([of, at]) => [of, BigInt(at)]))
  }

  /** Adds offsets for partitions that have none yet. */
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
   * The group has assigned its partitions again. Kept partitions go on where they were, new ones begin where they
   * were asked to; without either, Kafka's own position counts. Answers the lost ones.
   */
  replace(partitions: readonly string[]): readonly string[] {
    const claims = new Map<string, Claim>()
    for (const of of partitions) claims.set(of, this.#claims.get(of) ?? new Claim(of, this.#starts.get(of)))
    const lost = this.claims.filter(({ of }) => !claims.has(of))
    for (const claim of lost) {
      claim.isLost = true
      // A given start counts once: another member that reads the partition meanwhile gets further.
      this.#starts.delete(claim.of)
    }
    this.#claims = claims
    return lost.map(({ of }) => of)
  }
}
