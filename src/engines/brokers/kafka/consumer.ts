import type { SizedConsumeOptions } from '../create-broker.ts'
import { BrokerError } from '../errors.ts'
import type { ConsumerState, Message, TakeOptions } from '../index.ts'
import { closedError, Lifetime } from '../lifetime.ts'
import { LinkedConsumer } from '../linked-consumer.ts'
import { Assignment, type Claim } from './assignment.ts'
import { offsetAfter, readableBatches, timeOf } from './batches.ts'
import { type ClientOptions, clientOptions } from './client.ts'
import { isConnectionFault, toKafkaError } from './errors.ts'
import type { FetchedPartition } from './fetching.ts'
import { KafkaMessage, parsePartitionName } from './message.ts'
import { latestOffsets } from './offsets.ts'
import { Progress } from './progress.ts'
import { KafkaSession } from './session.ts'

const ASK_LIMIT_MS = 10_000
const ASK_RETRIES = 3

export class KafkaConsumer extends LinkedConsumer<KafkaMessage, KafkaSession> {
  readonly #clientOptions: ClientOptions
  readonly #options: SizedConsumeOptions
  readonly #group: string
  readonly #where: string
  readonly #assignment: Assignment
  readonly #progress = new Progress()
  readonly #lifetime = new Lifetime()
  #isBegun = false
  #count = 0
  /** The last error since Kafka has answered: the client tries again by itself for a while. */
  #trouble: string | undefined
  #room = Promise.withResolvers<void>()

  constructor(options: ClientOptions, consumeOptions: SizedConsumeOptions, where: string) {
    super(consumeOptions)
    this.#clientOptions = options
    this.#options = consumeOptions
    this.#group = consumeOptions.group ?? `millrace-${crypto.randomUUID()}`
    this.#where = where
    this.#assignment = new Assignment(consumeOptions.positions)
    this.inbox.onRoom = () => this.#wakeReceivers()
  }

  override get state(): ConsumerState {
    const state = super.state
    return state.connected ? { ...state, connected: this.#trouble === undefined, lastError: this.#trouble } : state
  }

  override async take(options: TakeOptions): Promise<Message[]> {
    const taken = await this.inbox.take(options)
    this.#progress.take(taken)
    return taken
  }

  override async acknowledge(last: Message): Promise<void> {
    if (!(last instanceof KafkaMessage)) throw new BrokerError('invalid', 'This message did not come from here')
    this.#progress.settle(last)
    const session = this.requireSession()
    const untold = new Map(Array.from(this.#progress.untold()).filter(([of]) => this.#assignment.has(of)))
    const offsets = Array.from(untold, ([of, offset]) => ({ ...parsePartitionName(of), offset: BigInt(offset) }))
    try {
      if (offsets.length > 0) await session.commit(offsets)
    } catch (error) {
      throw toKafkaError(error, this.#where)
    }
    this.#progress.told(untold)
  }

  override async close(): Promise<void> {
    this.#lifetime.end(closedError())
    await super.close()
  }

  protected override async open(): Promise<KafkaSession> {
    const { topics, from = 'latest' } = this.#options
    const onTrouble = (error: unknown) => {
      if (isConnectionFault(error)) this.#trouble = toKafkaError(error, this.#where).message
    }
    const onAlive = () => {
      this.#trouble = undefined
    }
    const { way, options: base } = clientOptions(this.#clientOptions, onTrouble)
    const session = await KafkaSession.create({
      base,
      way,
      group: this.#group,
      topics,
      from,
      where: this.#where,
      assignment: this.#assignment,
      onLost: (partitions) => this.#lose(partitions),
      onFetched: (claim, fetched, lifetime) => this.#receive(claim, fetched, lifetime),
      onAlive,
      onTrouble
    })
    void session.over().then(() => this.#wakeReceivers())
    try {
      const error = () => new BrokerError('unreachable', `${this.#where} did not answer; check that it is up`)
      await this.#lifetime.during(this.#ask(session), { ms: ASK_LIMIT_MS, error })
      await this.#lifetime.during(session.join())
    } catch (error) {
      await session.close()
      throw toKafkaError(error, this.#where)
    }
    onAlive()
    return session
  }

  /** Asks a broker first: without any that fails sooner than joining. */
  async #ask({ consumer }: KafkaSession): Promise<void> {
    const { topics, from = 'latest' } = this.#options
    await consumer.metadata({ topics: [...topics], retries: ASK_RETRIES })
    if (!this.#isBegun && from === 'latest') this.#assignment.addStarts(await latestOffsets(consumer, topics))
    this.#isBegun = true
  }

  #lose(partitions: readonly string[]): void {
    for (const of of partitions) {
      this.#progress.forget(of)
      this.inbox.drop((message) => message.position.of === of)
    }
    this.#wakeReceivers()
  }

  /** Wakes receivers that wait for room, to check whether there is some and whether they still have to wait. */
  #wakeReceivers(): void {
    this.#room.resolve()
    this.#room = Promise.withResolvers()
  }

  /** Puts records into the inbox. Only then do they count as read: others are fetched again. */
  async #receive(claim: Claim, fetched: FetchedPartition, lifetime: Lifetime): Promise<void> {
    const batches = fetched.records ?? []
    const readable = readableBatches(batches, fetched.abortedTransactions ?? [])
    for (const batch of batches) {
      for (const record of readable.has(batch) ? batch.records : []) {
        while (this.inbox.isFull && !lifetime.isOver && !claim.isLost) await this.#room.promise
        if (lifetime.isOver || claim.isLost) return
        const offset = batch.firstOffset + BigInt(record.offsetDelta)
        if (offset < (claim.next ?? 0n)) continue
        this.#count += 1
        const received = { key: record.key, value: record.value, timeMs: timeOf(batch, record), offset }
        this.inbox.put(new KafkaMessage(claim.topic, claim.of, received, this.#count))
        claim.next = offset + 1n
      }
      const end = offsetAfter(batch)
      if (!claim.isLost && end > (claim.next ?? 0n)) claim.next = end
    }
  }
}
