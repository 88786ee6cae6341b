import type { Consumer } from '@platformatic/kafka'
import type { Claim } from './assignment.ts'
import { partitionName } from './message.ts'

const LATEST = -1n
const EARLIEST = -2n

/**
 * The present ends of partitions in which the group has no position. They are looked up before the first message is
 * waited for: a group that loses its connection before it has acknowledged anything would otherwise begin too late.
 */
export async function latestOffsets(consumer: Consumer, topics: readonly string[]): Promise<Map<string, bigint>> {
  const { topics: known } = await consumer.metadata({ topics: [...topics] })
  const all = Array.from(known, ([topic, { partitionsCount }]) => ({
    topic,
    partitions: Array.from({ length: partitionsCount }, (_, partition) => partition)
  }))
  const committed = await consumer.listCommittedOffsets({ topics: all })
  const latest = await consumer.listOffsets({ topics: [...topics], timestamp: LATEST })
  const offsets = new Map<string, bigint>()
  for (const { topic, partitions } of all) {
    for (const partition of partitions) {
      const at = latest.get(topic)?.[partition]
      const isCommitted = (committed.get(topic)?.[partition] ?? -1n) >= 0n
      if (at !== undefined && !isCommitted) offsets.set(partitionName(topic, partition), at)
    }
  }
  return offsets
}

/** Sets the offsets of claims that have none: the position of the group, or else as asked for. */
export async function beginClaims(
  consumer: Consumer,
  claims: readonly Claim[],
  from: 'earliest' | 'latest'
): Promise<void> {
  const unknown = claims.filter(({ next }) => next === undefined)
  if (unknown.length === 0) return
  const committed = await consumer.listCommittedOffsets({ topics: byTopic(unknown) })
  for (const claim of unknown) {
    const at = committed.get(claim.topic)?.[claim.partition] ?? -1n
    if (at >= 0n) claim.next ??= at
  }
  await resetClaims(
    consumer,
    unknown.filter(({ next }) => next === undefined),
    from
  )
}

/** Sets the offsets of these claims as asked for, whatever they were. */
export async function resetClaims(
  consumer: Consumer,
  claims: readonly Claim[],
  from: 'earliest' | 'latest'
): Promise<void> {
  if (claims.length === 0) return
  const asked = byTopic(claims)
  const offsets = await consumer.listOffsets({
    topics: asked.map(({ topic }) => topic),
    partitions: Object.fromEntries(asked.map(({ topic, partitions }) => [topic, partitions])),
    timestamp: from === 'earliest' ? EARLIEST : LATEST
  })
  for (const claim of claims) claim.next = offsets.get(claim.topic)?.[claim.partition] ?? claim.next
}

function byTopic(claims: readonly Claim[]): { topic: string; partitions: number[] }[] {
  return Array.from(
    Map.groupBy(claims, ({ topic }) => topic),
    ([topic, those]) => ({ topic, partitions: those.map(({ partition }) => partition) })
  )
}
