import type { RecordsBatch } from '@platformatic/kafka'
import { BrokerError } from '../errors.ts'

/** Flags of a batch. */
const APPEND_TIME = 0b1000
const TRANSACTIONAL = 0b10_000
const CONTROL = 0b100_000
const ABORT = 0
const FORM = 2

export interface Aborted {
  readonly producerId: bigint
  readonly firstOffset: bigint
}

/**
 * The batches whose records are meant to be read: without markers of transactions, and without aborted transactions.
 * The client only filters where the marker comes in the same answer.
 */
export function readableBatches(batches: readonly RecordsBatch[], aborted: readonly Aborted[]): Set<RecordsBatch> {
  const waiting = aborted.toSorted((a, b) => (a.firstOffset < b.firstOffset ? -1 : 1))
  const givenUp = new Set<bigint>()
  const readable = new Set<RecordsBatch>()
  for (const batch of batches) {
    if (batch.magic !== FORM) {
      throw new BrokerError(
        'refused',
        "Messages can't be read: they have the form from before Kafka 0.11; write them anew"
      )
    }
    const end = offsetAfter(batch)
    while (waiting[0] !== undefined && waiting[0].firstOffset < end) {
      givenUp.add(waiting[0].producerId)
      waiting.shift()
    }
    if ((batch.attributes & CONTROL) !== 0) {
      if (batch.records[0]?.key?.readInt16BE(2) === ABORT) givenUp.delete(batch.producerId)
    } else if ((batch.attributes & TRANSACTIONAL) === 0 || !givenUp.has(batch.producerId)) readable.add(batch)
  }
  return readable
}

/** The offset after the last record, even if compaction has removed that record. */
export function offsetAfter({ firstOffset, lastOffsetDelta }: RecordsBatch): bigint {
  return firstOffset + BigInt(lastOffsetDelta) + 1n
}

export function timeOf(batch: RecordsBatch, { timestampDelta }: { readonly timestampDelta: bigint }): number {
  const isAppendTime = (batch.attributes & APPEND_TIME) !== 0
  return Number(isAppendTime ? batch.maxTimestamp : batch.firstTimestamp + timestampDelta)
}
