import type { Clock } from '../clock.ts'
import type { Outbound } from '../outbound/index.ts'
import type { Charts } from './charts.ts'
import type { Message } from './message.ts'

/** What came of sending one message once. */
export interface Sent {
  /** `refused` comes again however often it is tried as it is; `failed` may work later. */
  readonly outcome: 'sent' | 'refused' | 'failed'
  /** Of HTTP or SMTP, where there was an answer. */
  readonly status: number | null
  /** What the other side said, or what is wrong: one line of at most 500 characters without secrets. */
  readonly answer: string
  readonly code: SentCode
  /** How long the other side wants to be left alone; at most an hour. */
  readonly retryAfterMs?: number
}

/** These never change their meaning. */
export type SentCode =
  | 'ok'
  /** Some of the recipients were refused, the others have it. */
  | 'partly_refused'
  | 'timeout'
  | 'rate_limited'
  | 'unauthorized'
  | 'not_found'
  | 'rejected'
  | 'redirected'
  | 'server_error'
  | 'unreachable'
  | 'unknown_host'
  | 'address_refused'
  | 'bad_config'
  | 'tls'
  /** It does not speak the language of the channel. */
  | 'unexpected_answer'
  | 'aborted'

export interface ConfigFault {
  /** Of the field in the configuration. */
  readonly pointer: string
  readonly message: string
}

export interface Sending<C> {
  readonly config: C
  readonly name: string
  /** Within its bounds. */
  readonly message: Message
  readonly idempotencyKey: string
  readonly signal: AbortSignal
  /** All that must not be seen in an answer. */
  readonly secrets: readonly string[]
  readonly outbound: Outbound
  readonly clock: Clock
  readonly charts: Pick<Charts, 'of'>
}

export interface ChannelType<C> {
  /** What can be known to be wrong without calling anybody. */
  check(config: C): ConfigFault[]
  send(sending: Sending<C>): Promise<Sent>
}
