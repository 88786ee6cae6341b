import { type Broker, type Consumer, type Message, openBroker } from '../../../../engines/brokers/index.ts'
import { NodeFault } from '../../contract/context.ts'
import type { Batch, Source, SourceContext } from '../../contract/source.ts'
import { RecordBatches } from '../../records/batches.ts'
import type { Sorted } from '../../records/received.ts'
import { connected } from '../outside/faults.ts'
import { groupOf, type MessageSourceConfig, toldColumns } from './config.ts'
import { sortMessage } from './format.ts'

const MAX_BATCH_RECORDS = 100_000
const MAX_BATCH_BYTES = 32 * 1024 * 1024

interface Position {
  /** Counts batches, to know which messages a commit is about. */
  readonly count: number
  /** The last message of each partition or stream, where the broker has such. */
  readonly positions: Readonly<Record<string, string>>
}

/** A batch that is made of messages, until it is known to be made. */
interface Taken extends Sorted {
  readonly position: Position
  readonly last: Message
}

/** Messages of a broker, acknowledged once the checkpoint that contains them is committed. */
export class MessagesSource implements Source {
  readonly #context: SourceContext<MessageSourceConfig>
  readonly #broker: Broker
  readonly #consumer: Consumer
  readonly #batches: RecordBatches
  #position: Position
  /** Messages that did not fit into the last batch. */
  #messages: Message[] = []
  #taken: Taken | undefined
  /** The last messages of batches that are not committed. */
  readonly #unacknowledged = new Map<number, Message>()
  /** The last message of each partition in this run. */
  readonly #latest = new Map<string, { readonly at: string; readonly timeMs: number }>()
  #lastTimeMs: number | undefined
  #wasConnected = true

  constructor(context: SourceContext<MessageSourceConfig>, broker: Broker, consumer: Consumer) {
    this.#context = context
    this.#broker = broker
    this.#consumer = consumer
    this.#batches = new RecordBatches(context, toldColumns(context.config))
    this.#position = positionOf(context)
  }

  async next({ waitMs, signal }: { waitMs: number; signal: AbortSignal }): Promise<Batch | 'idle'> {
    this.#taken ??= await this.#take(waitMs, signal)
    this.#tellState()
    if (this.#taken === undefined) return 'idle'
    const { records, rejected, origins, position, last } = this.#taken
    const batch = await this.#batches.make(records, rejected, position, (place) => origins[place])
    this.#taken = undefined
    this.#position = position
    this.#unacknowledged.set(position.count, last)
    return batch
  }

  async committed(position: unknown): Promise<void> {
    const { count } = position as Position
    let last: Message | undefined
    for (const [number, message] of this.#unacknowledged) {
      if (number > count) break
      last = message
      this.#unacknowledged.delete(number)
    }
    // What the broker does not hear of comes again, and is left out where there are positions.
    if (last !== undefined) await this.#consumer.acknowledge(last).catch(() => {})
  }

  readonly gathers = true

  get isAwaited(): boolean {
    return this.#unacknowledged.size > 0
  }

  lagMs(): number | undefined {
    if (this.#lastTimeMs === undefined) return undefined
    return this.#consumer.state.waiting === 0 ? 0 : Math.max(0, this.#context.now() - this.#lastTimeMs)
  }

  async close(): Promise<void> {
    await this.#broker.close()
  }

  async #take(waitMs: number, signal: AbortSignal): Promise<Taken | undefined> {
    const { config, now } = this.#context
    if (this.#messages.length === 0) {
      const bounds = { max: MAX_BATCH_RECORDS, maxBytes: MAX_BATCH_BYTES, waitMs, signal }
      this.#messages = await connected(() => this.#consumer.take(bounds))
    }
    if (this.#messages.length === 0) return undefined
    const sorted: Sorted = { records: [], rejected: [], origins: [] }
    const positions: Record<string, string> = { ...this.#position.positions }
    const nowMs = now()
    let used = 0
    for (const message of this.#messages) {
      used += 1
      if (this.#isAgain(message)) continue
      sortMessage(message, config, nowMs, sorted)
      if (message.position !== undefined) positions[message.position.of] = message.position.at
      if (sorted.records.length + sorted.rejected.length >= MAX_BATCH_RECORDS) break
    }
    const last = this.#messages[used - 1] as Message
    this.#messages = used === this.#messages.length ? [] : this.#messages.slice(used)
    this.#lastTimeMs = last.timeMs
    return { ...sorted, position: { count: this.#position.count + 1, positions }, last }
  }

  /**
   * Whether it came before, as it does when Kafka shares out its partitions anew. A topic that was made again begins with
   * small numbers, too, but its messages are newer.
   */
  #isAgain({ position, timeMs }: Message): boolean {
    if (position === undefined || timeMs === undefined) return false
    const latest = this.#latest.get(position.of)
    if (latest !== undefined && !isAfter(position.at, latest.at) && timeMs <= latest.timeMs) return true
    this.#latest.set(position.of, { at: position.at, timeMs: Math.max(timeMs, latest?.timeMs ?? 0) })
    return false
  }

  #tellState(): void {
    const { connected: isConnected, lastError } = this.#consumer.state
    if (isConnected === this.#wasConnected) return
    this.#wasConnected = isConnected
    if (isConnected) this.#context.log('info', 'The broker is there again')
    else throw new NodeFault('transient', 'unreachable', lastError ?? 'The broker is away') // counted, and said in the log
  }
}

export async function openMessages(kind: Broker['kind'], context: SourceContext<MessageSourceConfig>): Promise<Source> {
  const { connection, topics, group, qos, stream, from } = context.config
  const { positions } = positionOf(context)
  const outbound = await context.outbound()
  return connected(async () => {
    const broker = await openBroker({ kind, ...connection }, { outbound })
    try {
      const consumer = await broker.consume({
        topics,
        group: group ?? groupOf(context.pipelineId, context.nodeId),
        ...(qos !== undefined && { qos }),
        ...(stream !== undefined && { stream }),
        ...(from !== undefined && { from }),
        ...(Object.keys(positions).length > 0 && { positions })
      })
      return new MessagesSource(context, broker, consumer)
    } catch (error) {
      await broker.close()
      throw error
    }
  })
}

/** Compares whole numbers as texts, because they may be larger than a number holds exactly. */
const isAfter = (a: string, b: string): boolean => (a.length === b.length ? a > b : a.length > b.length)

function positionOf({ position }: SourceContext<unknown>): Position {
  return (position as Position | undefined) ?? { count: 0, positions: {} }
}
