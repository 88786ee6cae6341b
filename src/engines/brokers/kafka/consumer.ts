import { setTimeout as delay } from 'node:timers/promises'
import type { Admin, EachBatchPayload, Kafka, Consumer as KafkaClientConsumer } from 'kafkajs'
import type { SizedConsumeOptions } from '../create-broker.ts'
import { BrokerError } from '../errors.ts'
import { Inbox } from '../inbox.ts'
import type { Consumer, ConsumerState, Message, TakeOptions } from '../index.ts'
import { atMost } from '../lifetime.ts'
import { Link } from '../link.ts'
import { Assignment, latestOffsets } from './assignment.ts'
import { Trouble } from './client.ts'
import { toKafkaError, withSocketError } from './errors.ts'
import { KafkaMessage, offsetAfter, parsePartitionName, partitionName } from './message.ts'
import { Progress } from './progress.ts'
import { type KafkaSession, openSession } from './session.ts'

const HEARTBEAT_MS = 1000
const CLOSE_LIMIT_MS = 2000

export class KafkaConsumer implements Consumer {
  readonly #createClient: (trouble: Trouble) => Promise<Kafka>
  readonly #options: SizedConsumeOptions
  readonly #group: string
  readonly #where: string
  readonly #inbox: Inbox<KafkaMessage>
  readonly #link: Link<KafkaSession>
  readonly #assignment: Assignment
  readonly #progress = new Progress()
  #isBegun = false
  #count = 0
  /** The client tries again by itself for a while. */
  #trouble = new Trouble()
  #room = Promise.withResolvers<void>()

  constructor(create: (trouble: Trouble) => Promise<Kafka>, options: SizedConsumeOptions, where: string) {
    this.#createClient = create
    this.#options = options
    this.#group = options.group ?? `millrace-${crypto.randomUUID()}`
    this.#where = where
    this.#assignment = new Assignment(options.positions)
    this.#inbox = new Inbox(options)
    this.#inbox.onRoom = () => {
      this.#room.resolve()
      this.#room = Promise.withResolvers()
    }
    this.#link = new Link({ open: () => this.#open(), onLost: (error) => this.#inbox.fail(error) })
  }

  opened(): Promise<void> {
    return this.#link.opened()
  }

  get state(): ConsumerState {
    const { session, lastError } = this.#link
    const { message } = this.#trouble
    const connected = session !== undefined && message === undefined
    return { connected, lastError: session === undefined ? lastError : message, waiting: this.#inbox.waiting }
  }

  async take(options: TakeOptions): Promise<Message[]> {
    const taken = await this.#inbox.take(options)
    this.#progress.take(taken)
    return taken
  }

  async acknowledge(last: Message): Promise<void> {
    if (!(last instanceof KafkaMessage)) throw new BrokerError('invalid', 'This message did not come from here')
    this.#progress.settle(last)
    const { session } = this.#link
    if (session === undefined) throw new BrokerError('unreachable', 'There is no connection to the broker right now')
    const untold = new Map(Array.from(this.#progress.untold()).filter(([of]) => this.#assignment.has(of)))
    const offsets = Array.from(untold, ([of, offset]) => ({ ...parsePartitionName(of), offset }))
    try {
      await session.lifetime.during(session.consumer.commitOffsets(offsets))
    } catch (error) {
      throw toKafkaError(error, this.#where)
    }
    this.#progress.told(untold)
  }

  async close(): Promise<void> {
    this.#inbox.close()
    await this.#link.close()
  }

  async #open(): Promise<KafkaSession> {
    const { topics, from = 'latest' } = this.#options
    const trouble = new Trouble()
    this.#trouble = trouble
    const client = await this.#createClient(trouble)
    try {
      await this.#ask(client.admin())
      return await openSession(client, {
        group: this.#group,
        topics,
        fromBeginning: from === 'earliest',
        where: this.#where,
        onAssigned: (partitions, consumer) => this.#assign(partitions, consumer),
        onAlive: () => {
          trouble.message = undefined
        },
        onBatch: (payload) => this.#receive(payload)
      })
    } catch (error) {
      throw withSocketError(error, trouble.socketError, this.#where)
    }
  }

  /** Fails sooner than a consumer does where there is nobody to ask. */
  async #ask(admin: Admin): Promise<void> {
    const { topics, from = 'latest' } = this.#options
    try {
      await admin.connect()
      if (!this.#isBegun && from === 'latest') {
        this.#assignment.addStarts(await latestOffsets(admin, this.#group, topics))
      }
      this.#isBegun = true
    } finally {
      await atMost(CLOSE_LIMIT_MS, admin.disconnect())
    }
  }

  #assign(partitions: readonly string[], consumer: KafkaClientConsumer): void {
    const { seek, lost } = this.#assignment.replace(partitions)
    for (const of of lost) {
      this.#progress.forget(of)
      this.#inbox.drop((message) => message.position.of === of)
    }
    for (const [of, offset] of seek) consumer.seek({ ...parsePartitionName(of), offset })
  }

  /** What is not put in here is fetched again: only what was resolved counts as received. */
  async #receive({ batch, heartbeat, resolveOffset, isRunning, isStale }: EachBatchPayload): Promise<void> {
    const { topic, partition } = batch
    const of = partitionName(topic, partition)
    let last: string | undefined
    for (const message of batch.messages) {
      while (this.#inbox.isFull && isRunning()) {
        if (last !== undefined) resolveOffset(last)
        await Promise.race([this.#room.promise, delay(HEARTBEAT_MS)])
        await heartbeat()
      }
      if (!isRunning() || isStale() || !this.#assignment.has(of)) return
      last = message.offset
      this.#count += 1
      this.#inbox.put(new KafkaMessage(topic, of, message, this.#count))
      this.#assignment.received(of, offsetAfter(last))
    }
    resolveOffset(batch.lastOffset())
  }
}
