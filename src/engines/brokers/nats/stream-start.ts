import type { ConsumerConfig, JetStreamManager, StreamInfo } from '@nats-io/jetstream'
import { BrokerError } from '../errors.ts'
import type { ConsumeOptions } from '../index.ts'

const ACK_WAIT_NS = 300 * 1e9
const ABANDONED_NS = 300 * 1e9
const MAX_ACK_PENDING = 200_000

export interface DurableOptions extends ConsumeOptions {
  readonly stream: string
}

/** The sequence of the first message that is wanted. */
export async function firstSequence(manager: JetStreamManager, options: DurableOptions): Promise<number> {
  const { stream, group, positions = {}, from = 'latest' } = options
  const position = positions[stream]
  if (position !== undefined) return nextSequence(position)
  const { state } = await manager.streams.info(stream)
  const known = group === undefined ? undefined : await existing(manager, stream, group)
  // A consumer without any acknowledgement is at the place where it was told to begin.
  if (known !== undefined) return Math.max(known.ack_floor.stream_seq + 1, known.config.opt_start_seq ?? 1)
  return from === 'earliest' ? 1 : state.last_seq + 1
}

function nextSequence(position: string): number {
  const sequence = /^\d{1,16}$/.test(position) ? Number(position) + 1 : Number.NaN
  if (!Number.isSafeInteger(sequence)) throw new BrokerError('invalid', 'The position in the stream is not a number')
  return sequence
}

async function existing(manager: JetStreamManager, stream: string, group: string) {
  try {
    return await manager.consumers.info(stream, group)
  } catch (error) {
    if ((error as Error).name === 'ConsumerNotFoundError') return undefined
    throw error
  }
}

/**
 * Replaces the group's consumer by one that begins exactly at `start`, and answers where it begins. If the stream is
 * shorter than that, it is another stream of the same name, and the first message is taken. An old consumer would
 * later send unacknowledged messages again, after newer ones, and positions could not be trusted.
 */
export async function replaceConsumer(
  manager: JetStreamManager,
  options: DurableOptions,
  name: string,
  wanted: number
): Promise<number> {
  const { stream, group, topics } = options
  const { config, state } = await manager.streams.info(stream)
  const start = wanted > state.last_seq + 1 ? 1 : wanted
  if ((await existing(manager, stream, name)) !== undefined) await manager.consumers.delete(stream, name)
  await manager.consumers.add(stream, {
    ...(group === undefined ? { name, inactive_threshold: ABANDONED_NS } : { durable_name: name }),
    ...beginning(config, start),
    ...(topics.length === 1 ? { filter_subject: topics[0] as string } : { filter_subjects: [...topics] }),
    ack_policy: 'explicit',
    ack_wait: ACK_WAIT_NS,
    max_ack_pending: MAX_ACK_PENDING
  } as Partial<ConsumerConfig>)
  return start
}

/** A work queue has only unacknowledged messages, and its consumers can't choose where to begin. */
function beginning({ retention }: StreamInfo['config'], start: number) {
  if (retention === 'workqueue') return { deliver_policy: 'all' }
  return { deliver_policy: 'by_start_sequence', opt_start_seq: Math.max(start, 1) }
}
