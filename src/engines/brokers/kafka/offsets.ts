import type { Consumer } from '@platformatic/kafka'
import type { Claim } from './assignment.ts'
import { partitionName } from './message.ts'

const LATEST = -1n
const EARLIEST = -2n

/**
 * Where partitions begin that the group has no position in, as it is now: found out before the first message is waited
 * for, since a group that loses its connection before it has acknowledged anything would begin later than it should.
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

/** Has those begin that it is not known of where: where the group was, or else as asked for. */
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

/** Has them begin as asked for, wherever they were. */
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
