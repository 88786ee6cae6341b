import type { Admin } from 'kafkajs'
import type { ConsumeOptions } from '../index.ts'
import { partitionName } from './message.ts'

/**
 * Where partitions begin that the group has no position in, as it is now: found out before the first message is waited
 * for, since a group that loses its connection before it has acknowledged anything would begin later than it should.
 */
export async function latestOffsets(
  admin: Admin,
  group: string,
  topics: readonly string[]
): Promise<Map<string, string>> {
  const offsets = new Map<string, string>()
  const committed = await admin.fetchOffsets({ groupId: group, topics: [...topics] })
  for (const { topic, partitions } of committed) {
    const known = new Set(partitions.filter(({ offset }) => Number(offset) >= 0).map(({ partition }) => partition))
    for (const { partition, high } of await admin.fetchTopicOffsets(topic)) {
      if (!known.has(partition)) offsets.set(partitionName(topic, partition), high)
    }
  }
  return offsets
}

/** Which partitions this consumer reads, and where each goes on. */
export class Assignment {
  readonly #starts: Map<string, string>
  #next = new Map<string, string | undefined>()

  constructor(positions: ConsumeOptions['positions'] = {}) {
    this.#starts = new Map(Object.entries(positions))
  }

  /** For those that nothing better is known of. */
  addStarts(starts: ReadonlyMap<string, string>): void {
    for (const [of, at] of starts) if (!this.#starts.has(of)) this.#starts.set(of, at)
  }

  has(of: string): boolean {
    return this.#next.has(of)
  }

  received(of: string, next: string): void {
    this.#next.set(of, next)
  }

  /**
   * The group has shared out its partitions again. Those that stay go on where they were, new ones begin where they
   * were asked to; where neither is known, Kafka knows. Answers what to seek and what was lost.
   */
  replace(partitions: readonly string[]): { seek: ReadonlyMap<string, string>; lost: readonly string[] } {
    const lost = Array.from(this.#next.keys()).filter((of) => !partitions.includes(of))
    const seek = new Map<string, string>()
    const next = new Map<string, string | undefined>()
    for (const of of partitions) {
      const at = this.#next.get(of) ?? this.#starts.get(of)
      next.set(of, at)
      if (at !== undefined) seek.set(of, at)
    }
    // What was asked for holds once: whoever reads it in the meantime gets further.
    for (const of of lost) this.#starts.delete(of)
    this.#next = next
    return { seek, lost }
  }
}
