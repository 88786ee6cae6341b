import type { SizedConsumeOptions } from './create-broker.ts'
import { BrokerError } from './errors.ts'
import { Inbox } from './inbox.ts'
import type { Consumer, ConsumerState, Message, TakeOptions } from './index.ts'
import { Link, type Session } from './link.ts'

/** A consumer whose messages come over a link, and wait in an inbox until they are taken. */
export abstract class LinkedConsumer<M extends Message, S extends Session> implements Consumer {
  protected readonly inbox: Inbox<M>
  #link: Link<S> | undefined

  constructor(options: SizedConsumeOptions) {
    this.inbox = new Inbox(options)
  }

  protected abstract open(): Promise<S>

  abstract acknowledge(last: Message): Promise<void>

  /** Connects, and resolves when the link is open. */
  opened(): Promise<void> {
    return this.link.opened()
  }

  get state(): ConsumerState {
    const { session, lastError } = this.link
    return { connected: session !== undefined, lastError, waiting: this.inbox.waiting }
  }

  take(options: TakeOptions): Promise<Message[]> {
    return this.inbox.take(options)
  }

  async close(): Promise<void> {
    this.inbox.close()
    await this.link.close()
  }

  protected get link(): Link<S> {
    this.#link ??= new Link({ open: () => this.open(), onLost: (error) => this.inbox.fail(error) })
    return this.#link
  }

  protected requireSession(): S {
    const { session } = this.link
    if (session === undefined) throw new BrokerError('unreachable', 'There is no connection to the broker right now')
    return session
  }
}
