import type { Endpoint } from './endpoint.ts'
import { BrokerError, toBrokerError } from './errors.ts'
import type { Broker, BrokerKind, ConsumeOptions, Consumer, OutgoingMessage, PublishOptions } from './index.ts'
import { type Keepable, KeptConnection } from './kept-connection.ts'
import { closedError, Lifetime } from './lifetime.ts'

/** The limit of a whole call, with connecting. */
const CALL_LIMIT_MS = 10_000

export type SizedConsumeOptions = ConsumeOptions & Required<Pick<ConsumeOptions, 'maxWaiting' | 'maxWaitingBytes'>>

/** What differs between the kinds of brokers. `C` is the connection that publishes. */
export interface BrokerParts<C extends Keepable> {
  readonly kind: BrokerKind
  readonly endpoints: readonly Endpoint[]
  connect(): Promise<C>
  check(connection: C): Promise<void>
  send(connection: C, messages: readonly OutgoingMessage[], options: PublishOptions): Promise<void>
  consume(options: SizedConsumeOptions): Promise<Consumer>
  /** Why nothing can be published to this topic; undefined if it can. */
  topicFault(topic: string): string | undefined
}

export function createBroker<C extends Keepable>(parts: BrokerParts<C>): Broker {
  const where = parts.endpoints.map((endpoint) => endpoint.where).join(', ')
  const lifetime = new Lifetime()
  const kept = new KeptConnection(parts.connect)
  const consumers = new Set<Consumer>()

  /** Drops the connection after a failure, because nobody waits for what it still has under way. */
  async function call(work: (connection: C) => Promise<void>): Promise<void> {
    const error = () => new BrokerError('unreachable', `${where} did not answer within ${CALL_LIMIT_MS / 1000} seconds`)
    try {
      await lifetime.during(kept.get().then(work), { ms: CALL_LIMIT_MS, error })
    } catch (failure) {
      const reason = toBrokerError(failure, where)
      if (reason.isTransient) void kept.drop()
      throw reason
    }
  }

  return {
    kind: parts.kind,
    check: () => call((connection) => parts.check(connection)),
    async publish(messages, options = {}) {
      for (const { topic } of messages) {
        const fault = parts.topicFault(topic)
        if (fault !== undefined) throw new BrokerError('invalid', `Nothing can be published to this topic: ${fault}`)
      }
      if (messages.length > 0) await call((connection) => parts.send(connection, messages, options))
    },
    async consume(options) {
      if (lifetime.isOver) throw closedError()
      if (options.topics.length === 0) throw new BrokerError('invalid', 'Give at least one topic')
      const { maxWaiting = 50_000, maxWaitingBytes = 32 * 1024 * 1024 } = options
      const consumer = await parts.consume({ ...options, maxWaiting, maxWaitingBytes })
      if (lifetime.isOver) {
        await consumer.close()
        throw closedError()
      }
      consumers.add(consumer)
      return forgotten(consumer, () => consumers.delete(consumer))
    },
    async close() {
      lifetime.end(closedError())
      await Promise.allSettled([kept.drop(), ...Array.from(consumers, (consumer) => consumer.close())])
    }
  }
}

/** The same consumer, but it is forgotten once it is closed. */
function forgotten(consumer: Consumer, forget: () => void): Consumer {
  return {
    take: (options) => consumer.take(options),
    acknowledge: (last) => consumer.acknowledge(last),
    get state() {
      return consumer.state
    },
    async close() {
      forget()
      await consumer.close()
    }
  }
}
