import type { Message } from '../index.ts'

export class NatsMessage implements Message {
  readonly topic: string
  readonly payload: Uint8Array
  readonly key = undefined
  readonly timeMs: number | undefined
  readonly position: { readonly of: string; readonly at: string } | undefined

  constructor(
    received: { readonly subject: string; readonly data: Uint8Array },
    stored?: { readonly stream: string; readonly sequence: number; readonly timeMs: number }
  ) {
    this.topic = received.subject
    this.payload = received.data
    this.timeMs = stored?.timeMs
    this.position = stored && { of: stored.stream, at: String(stored.sequence) }
  }
}

export interface Delivery {
  readonly sequence: number
  readonly timeMs: number
  /** How many messages the consumer has still to be sent. */
  readonly pending: number
}

const FIRST_TOKEN = 4
const FIRST_TOKEN_WITH_DOMAIN = 6

/**
 * Reads the facts of a stream's message from its reply subject, which is
 * `$JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<delivery>.<nanoseconds>.<pending>`, in newer servers with
 * domain and account after the second part. Undefined if it is not such a subject.
 */
export function parseDelivery(reply: string | undefined): Delivery | undefined {
  if (reply === undefined || !reply.startsWith('$JS.ACK.')) return undefined
  const tokens = reply.split('.')
  const first = tokens.length === 9 ? FIRST_TOKEN : FIRST_TOKEN_WITH_DOMAIN
  const sequence = Number(tokens[first + 1])
  const timeMs = Math.floor(Number(tokens[first + 3]) / 1_000_000)
  const pending = Number(tokens[first + 4])
  return Number.isSafeInteger(sequence) && Number.isFinite(timeMs) ? { sequence, timeMs, pending } : undefined
}
