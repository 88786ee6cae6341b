import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { SizedConsumeOptions } from '../create-broker.ts'
import { BrokerError } from '../errors.ts'
import type { Message } from '../index.ts'
import type { Session } from '../link.ts'
import { LinkedConsumer } from '../linked-consumer.ts'
import type { NatsLink } from './connection.ts'
import { toNatsError } from './errors.ts'
import { NatsMessage, parseDelivery } from './message.ts'
import { Pull } from './pull.ts'
import { firstSequence, replaceConsumer } from './stream-start.ts'

interface StreamSession extends Session {
  readonly link: NatsLink
}

/** A message that was received and not acknowledged, with its reply subject in the last session. */
interface Held {
  readonly session: object
  readonly reply: string
}

/**
 * Messages of a stream in the order of their sequence. Each session makes a consumer on the server that begins after
 * the last acknowledged message, so that nothing is left out; messages that are here already are not added again.
 */
export class StreamConsumer extends LinkedConsumer<NatsMessage, StreamSession> {
  readonly #connect: () => Promise<NatsLink>
  readonly #options: SizedConsumeOptions & { readonly stream: string }
  readonly #name: string
  readonly #held = new Map<number, Held>()
  #start: number | undefined
  #lastReceived = 0

  constructor(connect: () => Promise<NatsLink>, options: SizedConsumeOptions & { readonly stream: string }) {
    super(options)
    this.#connect = connect
    this.#options = options
    this.#name = options.group ?? `millrace-${crypto.randomUUID()}`
  }

  override async acknowledge(last: Message): Promise<void> {
    const sequence = Number(last.position?.at)
    if (!(last instanceof NatsMessage && sequence > 0)) {
      throw new BrokerError('invalid', 'This message did not come from here')
    }
    const { client, lifetime, where } = this.requireSession().link
    this.#start = sequence + 1
    for (const [held, { reply, session: of }] of this.#held) {
      if (held > sequence) break
      this.#held.delete(held)
      if (of === lifetime) client.publish(reply, '+ACK')
    }
    await lifetime.during(client.flush()).catch((error) => {
      throw toNatsError(error, where)
    })
  }

  override async close(): Promise<void> {
    this.inbox.close()
    const client = this.link.session?.link.client
    if (this.#options.group === undefined && client !== undefined) await this.#remove(client).catch(() => {})
    await super.close()
  }

  protected override async open(): Promise<StreamSession> {
    const { stream } = this.#options
    const link = await this.#connect()
    const { client, lifetime, where } = link
    try {
      const manager = await this.#manager(client)
      this.#start ??= await firstSequence(manager, this.#options)
      const start = await replaceConsumer(manager, this.#options, this.#name, this.#start)
      if (start < this.#start) this.#forget(start)
    } catch (error) {
      await link.close()
      throw toNatsError(error, where)
    }
    const pull = new Pull(client, {
      stream,
      consumer: this.#name,
      onMessage: (message) => this.#receive(message, client, lifetime),
      onLost: (reason) => lifetime.end(new BrokerError('unreachable', `${where} stopped sending: ${reason}`)),
      room: () => this.inbox.room
    })
    this.inbox.onRoom = () => pull.resume()
    void lifetime.over().then(() => {
      pull.stop()
      return link.close()
    })
    return { link, over: () => lifetime.over(), close: () => link.close() }
  }

  /** Forgets everything, because the stream was replaced by another one. */
  #forget(start: number): void {
    this.#start = start
    this.#lastReceived = 0
    this.#held.clear()
  }

  #receive(message: Msg, client: NatsConnection, session: object): void {
    const delivery = parseDelivery(message.reply)
    if (delivery === undefined) return
    const { sequence, timeMs } = delivery
    const reply = message.reply as string
    if (sequence < (this.#start as number)) {
      client.publish(reply, '+ACK')
      return
    }
    this.#held.set(sequence, { session, reply })
    if (sequence <= this.#lastReceived) return
    this.#lastReceived = sequence
    this.inbox.put(new NatsMessage(message, { stream: this.#options.stream, sequence, timeMs }))
  }

  async #manager(client: NatsConnection) {
    const { jetstreamManager } = await import('@nats-io/jetstream')
    return jetstreamManager(client)
  }

  async #remove(client: NatsConnection): Promise<void> {
    const manager = await this.#manager(client)
    await manager.consumers.delete(this.#options.stream, this.#name)
  }
}
