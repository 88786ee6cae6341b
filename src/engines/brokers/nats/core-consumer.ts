import type { SizedConsumeOptions } from '../create-broker.ts'
import { BrokerError } from '../errors.ts'
import type { Message } from '../index.ts'
import type { Session } from '../link.ts'
import { LinkedConsumer } from '../linked-consumer.ts'
import { type NatsLink, setReading } from './connection.ts'
import { toNatsError } from './errors.ts'
import { NatsMessage } from './message.ts'

interface CoreSession extends Session {
  readonly link: NatsLink
}

/** A consumer without a stream: messages sent while nobody listens are lost, and there is nothing to acknowledge. */
export class CoreConsumer extends LinkedConsumer<NatsMessage, CoreSession> {
  readonly #connect: () => Promise<NatsLink>
  readonly #options: SizedConsumeOptions

  constructor(connect: () => Promise<NatsLink>, options: SizedConsumeOptions) {
    super(options)
    this.#connect = connect
    this.#options = options
  }

  override async acknowledge(last: Message): Promise<void> {
    if (!(last instanceof NatsMessage)) throw new BrokerError('invalid', 'This message did not come from here')
  }

  protected override async open(): Promise<CoreSession> {
    const { topics, group } = this.#options
    const link = await this.#connect()
    const { client, lifetime, where } = link
    const callback = (error: Error | null, message: { subject: string; data: Uint8Array }) => {
      if (error !== null) return lifetime.end(toNatsError(error, where))
      this.inbox.put(new NatsMessage(message))
      if (this.inbox.isFull) setReading(client, false)
    }
    this.inbox.onRoom = () => setReading(client, true)
    const session = { link, over: () => lifetime.over(), close: () => link.close() }
    try {
      for (const topic of topics)
        client.subscribe(topic, { callback, ...(group === undefined ? {} : { queue: group }) })
      await lifetime.during(client.flush())
    } catch (error) {
      await link.close()
      throw toNatsError(error, where)
    }
    void lifetime.over().then(() => link.close())
    return session
  }
}
