import type { Outbound } from '../outbound/index.ts'

export { defaultPort, parseEndpoints } from './endpoint.ts'
export { BrokerError } from './errors.ts'

export const BROKER_KINDS = ['mqtt', 'nats', 'kafka'] as const
export type BrokerKind = (typeof BROKER_KINDS)[number]

export interface BrokerSettings {
  readonly kind: BrokerKind
  /** `host` or `host:port`. MQTT and NATS use the first that answers, Kafka asks any of them for the others. */
  readonly hosts: readonly string[]
  readonly tls?: boolean
  /** Certificates of authorities that are trusted instead of the usual ones, as PEM. */
  readonly ca?: string
  readonly user?: string
  readonly password?: string
  /** Kafka: how user and password are sent; `plain` unless given. */
  readonly sasl?: 'plain' | 'scram-sha-256' | 'scram-sha-512'
  /** The beginning of the client names of connections; `millrace` unless given. */
  readonly clientId?: string
}

export interface BrokerNeeds {
  readonly outbound: Outbound
}

/** A broker of messages. It connects when it is first used. Errors are `BrokerError`s. */
export interface Broker {
  readonly kind: BrokerKind
  /**
   * Begins to receive. Resolves when the subscription is made, or when the broker could not be reached and is tried
   * again in the background; rejects when it refuses. A group has one consumer at a time, except with Kafka.
   */
  consume(options: ConsumeOptions): Promise<Consumer>
  /**
   * Resolves when the broker has taken every one of them: MQTT acknowledged them with QoS 1, NATS stored them in the
   * stream or, without one, received them, Kafka has them on all replicas. Rejects after 10 seconds at the latest; then
   * some may have been taken, and all may be published again.
   */
  publish(messages: readonly OutgoingMessage[], options?: PublishOptions): Promise<void>
  /** Connects if needed; rejects with the reason. */
  check(): Promise<void>
  /** Closes the broker and its consumers. */
  close(): Promise<void>
}

export interface ConsumeOptions {
  /** MQTT filters with `+` and `#`, NATS subjects with `*` and `>`, names of Kafka topics. */
  readonly topics: readonly string[]
  /** MQTT: client id of a session that is kept; NATS: durable consumer, or queue group without a stream; Kafka: group. */
  readonly group?: string
  /** NATS: the JetStream stream; without it messages are received at most once. */
  readonly stream?: string
  /** MQTT; 1 unless given. */
  readonly qos?: 0 | 1
  /** Kafka, JetStream: where a group that has no position begins; `latest` unless given. */
  readonly from?: 'earliest' | 'latest'
  /**
   * The `at` of the last message that was processed, by `of`. It takes precedence over what the group has
   * acknowledged.
   */
  readonly positions?: Readonly<Record<string, string>>
  /** How many messages may wait here to be taken; with more the broker is not read. 50,000 unless given. */
  readonly maxWaiting?: number
  /** 32 MiB unless given. */
  readonly maxWaitingBytes?: number
}

export interface PublishOptions {
  /** NATS: the JetStream stream that has to store them. */
  readonly stream?: string
}

export interface TakeOptions {
  readonly max: number
  /** At least one message is answered, however large. */
  readonly maxBytes: number
  /** How long to wait for the first one. */
  readonly waitMs: number
  /** Ends the waiting; messages that are there are answered. */
  readonly signal?: AbortSignal
}

/** Messages of a group in the order of the broker. It connects again by itself, for ever. */
export interface Consumer {
  /** The messages that are there; [] if none came. Rejects when the broker refuses to go on. One call at a time. */
  take(options: TakeOptions): Promise<Message[]>
  /**
   * Says that everything taken up to and including this message was processed and need not come again. Messages taken
   * and not acknowledged come again after a crash, and with MQTT also after the connection was lost. Rejects with a
   * transient error while there is no connection: then they may come again.
   */
  acknowledge(last: Message): Promise<void>
  readonly state: ConsumerState
  /** Messages that were not acknowledged come again to the next consumer of the group. */
  close(): Promise<void>
}

export interface ConsumerState {
  readonly connected: boolean
  readonly lastError: string | undefined
  readonly waiting: number
}

export interface Message {
  readonly topic: string
  readonly key: string | undefined
  readonly payload: Uint8Array
  readonly timeMs: number | undefined
  /** Kafka: `topic/partition` and the next offset; JetStream: stream and sequence; undefined where there is none. */
  readonly position: { readonly of: string; readonly at: string } | undefined
}

export interface OutgoingMessage {
  readonly topic: string
  /** Kafka: messages with the same key keep their order. */
  readonly key?: string
  readonly payload: string | Uint8Array
}

export async function openBroker(settings: BrokerSettings, needs: BrokerNeeds): Promise<Broker> {
  switch (settings.kind) {
    case 'mqtt':
      return (await import('./mqtt/broker.ts')).openMqtt(settings, needs)
    case 'nats':
      return (await import('./nats/broker.ts')).openNats(settings, needs)
    case 'kafka':
      return (await import('./kafka/broker.ts')).openKafka(settings, needs)
  }
}
