import type { Message } from '../index.ts'

interface ReceivedMessage {
  readonly key: Buffer | null
  readonly value: Uint8Array | null
  readonly timeMs: number
  readonly offset: bigint
}

const NOTHING = new Uint8Array()

export class KafkaMessage implements Message {
  readonly topic: string
  readonly key: string | undefined
  readonly payload: Uint8Array
  readonly timeMs: number
  readonly position: { readonly of: string; readonly at: string }
  /** How many messages were received before. */
  readonly count: number

  constructor(topic: string, of: string, received: ReceivedMessage, count: number) {
    this.topic = topic
    this.key = received.key === null ? undefined : received.key.toString()
    this.payload = received.value ?? NOTHING
    this.timeMs = received.timeMs
    // As text, because offsets exceed what a number holds exactly.
    this.position = { of, at: String(received.offset + 1n) }
    this.count = count
  }
}

export function partitionName(topic: string, partition: number): string {
  return `${topic}/${partition}`
}

export function parsePartitionName(of: string): { topic: string; partition: number } {
  const slash = of.lastIndexOf('/')
  return { topic: of.slice(0, slash), partition: Number(of.slice(slash + 1)) }
}
