import { NodeFault } from '../../contract/context.ts'
import type { Batch, Origin, SourceContext } from '../../contract/source.ts'
import type { FeedAnswer } from '../../protocol/protocol.ts'
import { RecordBatches } from '../../records/batches.ts'
import type { JsonRecord } from '../../records/table.ts'
import type { FedSource } from './fed.ts'
import type { WebhookConfig } from './webhook.ts'
import { parseBody } from './webhook-body.ts'

const MAX_WAITING_RECORDS = 50_000
const MAX_WAITING_BYTES = 32 * 1024 * 1024

/** A request that waits for its answer. */
interface Delivery {
  readonly records: readonly JsonRecord[]
  /** Of the request. */
  readonly requestId: string
  readonly bytes: number
  readonly answer: FeedAnswer
  readonly done: PromiseWithResolvers<FeedAnswer>
}

/**
 * Who was not answered sends again, so that there is nothing to continue from; positions only count batches, to know whom a
 * commit is for.
 */
export class WebhookSource implements FedSource {
  readonly #batches: RecordBatches
  #queue: Delivery[] = []
  #records = 0
  #bytes = 0
  /** Requests whose records are in batches that are not committed yet, by number of the batch. */
  readonly #uncommitted = new Map<number, readonly Delivery[]>()
  #count: number
  #isClosed = false
  #wake: (() => void) | undefined

  constructor(context: SourceContext<WebhookConfig>) {
    this.#batches = new RecordBatches(context, context.config.columns)
    this.#count = (context.position as { count: number } | undefined)?.count ?? 0
  }

  async feed(body: Uint8Array, requestId: string): Promise<FeedAnswer> {
    if (this.#isClosed) throw stopped()
    // A body that is larger than the queue must go through some time.
    const isFull = this.#records >= MAX_WAITING_RECORDS || this.#bytes + body.length > MAX_WAITING_BYTES
    if (isFull && this.#queue.length > 0) throw busy()
    const { records, answer } = parseBody(body)
    if (records.length === 0) return answer
    if (this.#records + records.length > MAX_WAITING_RECORDS && this.#queue.length > 0) throw busy()
    const done = Promise.withResolvers<FeedAnswer>()
    this.#queue.push({ records, requestId, bytes: body.length, answer, done })
    this.#records += records.length
    this.#bytes += body.length
    this.#wake?.()
    return done.promise
  }

  async next({ waitMs, signal }: { waitMs: number; signal: AbortSignal }): Promise<Batch | 'idle'> {
    if (this.#queue.length === 0) await this.#arrival(waitMs, signal)
    const taken = this.#queue
    if (taken.length === 0) return 'idle'
    const records = taken.length === 1 ? (taken[0] as Delivery).records : taken.flatMap((one) => one.records)
    this.#queue = []
    this.#records = 0
    this.#bytes = 0
    this.#count += 1
    this.#uncommitted.set(this.#count, taken)
    try {
      return await this.#batches.make(records, [], { count: this.#count }, originsIn(taken))
    } catch (error) {
      this.#uncommitted.delete(this.#count)
      for (const { done } of taken) done.reject(new NodeFault('transient', 'not_taken', 'It did not work; send again'))
      throw error
    }
  }

  async committed(position: unknown): Promise<void> {
    const { count } = position as { count: number }
    for (const [number, deliveries] of this.#uncommitted) {
      if (number > count) break
      this.#uncommitted.delete(number)
      for (const { done, answer } of deliveries) done.resolve(answer)
    }
  }

  get isAwaited(): boolean {
    return this.#queue.length > 0 || this.#uncommitted.size > 0
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { done } of [...this.#queue, ...[...this.#uncommitted.values()].flat()]) done.reject(stopped())
    this.#queue = []
    this.#uncommitted.clear()
  }

  async #arrival(waitMs: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => resolve()
    this.#wake = wake
    const timer = setTimeout(wake, waitMs)
    signal.addEventListener('abort', wake)
    await promise
    signal.removeEventListener('abort', wake)
    clearTimeout(timer)
    this.#wake = undefined
  }
}

/** The request that a record came with, and its place there, from 1. */
function originsIn(taken: readonly Delivery[]): (place: number) => Origin | undefined {
  return (place) => {
    let left = place
    for (const { records, requestId } of taken) {
      if (left < records.length) return { requestId, record: left + 1 }
      left -= records.length
    }
    return undefined
  }
}

function busy(): NodeFault {
  return new NodeFault('transient', 'busy', 'Too many records wait to be put through; send them again in a moment')
}

function stopped(): NodeFault {
  return new NodeFault('transient', 'not_running', 'The pipeline stopped before the records were committed; send again')
}
