import type { ClusterMetadata, ConnectionPool, Consumer, FetchOptions } from '@platformatic/kafka'
import type { Lifetime } from '../lifetime.ts'
import type { Assignment, Claim } from './assignment.ts'
import { hasAnswer } from './errors.ts'

const WAIT_MS = 500
const MOST_BYTES = 10 * 1024 * 1024
const MOST_BYTES_OF_PARTITION = 1024 * 1024
const READ_COMMITTED = 1
const LEADERLESS_PAUSE_MS = 500
const ANY_EPOCH = -1

type FetchResponse = Awaited<ReturnType<typeof fetchFrom>>
export type FetchedPartition = FetchResponse['responses'][number]['partitions'][number]

export interface FetchingOptions {
  readonly topics: readonly string[]
  readonly assignment: Assignment
  readonly lifetime: Lifetime
  /** Called with records; resolves when there is room for more. */
  readonly onFetched: (claim: Claim, fetched: FetchedPartition) => Promise<void>
  /** Called when the offset to read next does not exist, or not any more. */
  readonly onOutOfRange: (claims: readonly Claim[]) => Promise<void>
  readonly onAlive: () => void
  readonly onFailed: (error: unknown) => void
}

/**
 * Fetches from each broker the partitions that it leads; the next fetch begins when the last one's records were
 * received.
 */
export class Fetching {
  readonly #consumer: Consumer
  /** A pool of its own: brokers answer the requests of a connection in order, and a fetch may wait long. */
  readonly #pool: ConnectionPool
  readonly #options: FetchingOptions
  readonly #asked = new Set<number>()
  #pause: NodeJS.Timeout | undefined

  constructor(consumer: Consumer, pool: ConnectionPool, options: FetchingOptions) {
    this.#consumer = consumer
    this.#pool = pool
    this.#options = options
  }

  /** To be called when there may be something to fetch. */
  wake(): void {
    this.#ask().catch((error) => this.#options.onFailed(error))
  }

  stop(): void {
    clearTimeout(this.#pause)
  }

  async #ask(): Promise<void> {
    const { topics, assignment, lifetime, onFailed } = this.#options
    const metadata = await this.#consumer.metadata({ topics: [...topics] })
    if (lifetime.isOver) return
    const begun = assignment.claims.filter(({ next }) => next !== undefined)
    for (const [node, claims] of Map.groupBy(begun, (claim) => leaderOf(metadata, claim))) {
      if (node === undefined) this.#askLater()
      else if (!this.#asked.has(node)) {
        this.#asked.add(node)
        this.#fetch(node, claims, metadata).then(() => {
          this.#asked.delete(node)
          this.wake()
        }, onFailed)
      }
    }
  }

  #askLater(): void {
    clearTimeout(this.#pause)
    this.#pause = setTimeout(() => {
      this.#consumer.clearMetadata()
      this.wake()
    }, LEADERLESS_PAUSE_MS)
  }

  async #fetch(node: number, claims: readonly Claim[], metadata: ClusterMetadata): Promise<void> {
    const { onFetched, onOutOfRange, onAlive } = this.#options
    const idOf = (topic: string) => metadata.topics.get(topic)?.id ?? topic
    const asked = Map.groupBy(claims, ({ topic }) => idOf(topic))
    let response: FetchResponse
    try {
      response = await fetchFrom(this.#consumer, {
        node,
        topics: Array.from(asked, ([topicId, those]) => ({ topicId, partitions: those.map(requestFor) })),
        maxWaitTime: WAIT_MS,
        minBytes: 1,
        maxBytes: MOST_BYTES,
        isolationLevel: READ_COMMITTED,
        connectionPool: this.#pool
      })
    } catch (error) {
      if (!hasAnswer(error, 'OFFSET_OUT_OF_RANGE')) throw error
      return onOutOfRange(outOfRange(error, asked))
    }
    onAlive()
    for (const { topicId, partitions } of response.responses) {
      for (const fetched of partitions) {
        const claim = asked.get(topicId)?.find(({ partition }) => partition === fetched.partitionIndex)
        if (claim !== undefined) await onFetched(claim, fetched)
      }
    }
  }
}

function fetchFrom(consumer: Consumer, options: FetchOptions<Buffer, Buffer, Buffer, Buffer>) {
  return consumer.fetch(options)
}

function leaderOf(metadata: ClusterMetadata, { topic, partition }: Claim): number | undefined {
  const leader = metadata.topics.get(topic)?.partitions[partition]?.leader
  return leader !== undefined && metadata.brokers.has(leader) ? leader : undefined
}

function requestFor({ partition, next }: Claim) {
  return {
    partition,
    fetchOffset: next ?? 0n,
    partitionMaxBytes: MOST_BYTES_OF_PARTITION,
    currentLeaderEpoch: ANY_EPOCH,
    lastFetchedEpoch: ANY_EPOCH
  }
}

const OUT_OF_RANGE = 1

/** The claims that are out of range: the client throws one error for the whole answer, which names the partitions. */
function outOfRange(error: unknown, asked: ReadonlyMap<string, readonly Claim[]>): Claim[] {
  const { response } = error as { readonly response?: FetchResponse }
  return (response?.responses ?? []).flatMap(({ topicId, partitions }) => {
    const bad = new Set(partitions.filter(({ errorCode }) => errorCode === OUT_OF_RANGE).map((p) => p.partitionIndex))
    return (asked.get(topicId) ?? []).filter(({ partition }) => bad.has(partition))
  })
}
