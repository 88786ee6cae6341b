import type { BaseOptions, ConnectionPool, Consumer } from '@platformatic/kafka'
import type { BrokerError } from '../errors.ts'
import { atMost, closedError, Lifetime } from '../lifetime.ts'
import type { Session } from '../link.ts'
import type { Assignment, Claim } from './assignment.ts'
import { toKafkaError } from './errors.ts'
import { type FetchedPartition, Fetching } from './fetching.ts'
import { loadKafka, type Way } from './guarded-client.ts'
import { partitionName } from './message.ts'
import { beginClaims, resetClaims } from './offsets.ts'

/** The shortest time that brokers allow by default: so long nobody reads the partitions of a consumer that crashed. */
const SESSION_LIMIT_MS = 6000
const HEARTBEAT_MS = 1000
const REBALANCE_LIMIT_MS = 60_000
/** The answer to a join comes only when all other members have joined too. */
const JOIN_LIMIT_MS = REBALANCE_LIMIT_MS + 5000
const COMMIT_LIMIT_MS = 10_000
const CLOSE_LIMIT_MS = 3000
/** More than elsewhere: a member that comes back in time need not wait for the group. */
const RETRIES = 8
const ANY_EPOCH = -1
/** Names of the same assignment strategy in Kafka's own clients and in others. */
const PROTOCOLS = ['RoundRobinAssigner', 'roundrobin'].map((name) => ({ name, version: 1 }))

export interface KafkaSessionOptions {
  readonly base: BaseOptions
  readonly way: Way
  readonly group: string
  readonly topics: readonly string[]
  readonly from: 'earliest' | 'latest'
  readonly where: string
  readonly assignment: Assignment
  /** Called before anything is read from new partitions. */
  readonly onLost: (partitions: readonly string[]) => void
  readonly onFetched: (claim: Claim, fetched: FetchedPartition, lifetime: Lifetime) => Promise<void>
  /** Called when Kafka has answered. */
  readonly onAlive: () => void
  readonly onTrouble: (error: unknown) => void
}

interface Commit {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
}

/** One membership in the group, until the client gives it up. */
export class KafkaSession implements Session {
  readonly consumer: Consumer
  readonly lifetime = new Lifetime()
  readonly #options: KafkaSessionOptions
  readonly #pool: ConnectionPool
  readonly #fetching: Fetching
  /** Commits under way; the client repeats them when it had to join again. */
  readonly #commits = new Set<(Commit & { leaderEpoch: number })[]>()
  /** The numbers of partitions of the topics at the last assignment. */
  #shape: string | undefined
  #closing: Promise<void> | undefined

  static async create(options: KafkaSessionOptions): Promise<KafkaSession> {
    const { Consumer, ConnectionPool } = await loadKafka()
    const { base, group } = options
    const consumer = new Consumer({
      ...base,
      groupId: group,
      sessionTimeout: SESSION_LIMIT_MS,
      heartbeatInterval: HEARTBEAT_MS,
      rebalanceTimeout: REBALANCE_LIMIT_MS,
      requestTimeout: JOIN_LIMIT_MS,
      protocols: PROTOCOLS,
      retries: RETRIES
    })
    return new KafkaSession(consumer, new ConnectionPool(base.clientId, base), options)
  }

  private constructor(consumer: Consumer, pool: ConnectionPool, options: KafkaSessionOptions) {
    this.consumer = consumer
    this.#pool = pool
    this.#options = options
    const { topics, from, assignment, onAlive, onTrouble } = options
    this.#fetching = new Fetching(consumer, pool, {
      topics,
      assignment,
      lifetime: this.lifetime,
      onFetched: (claim, fetched) => options.onFetched(claim, fetched, this.lifetime),
      onOutOfRange: (claims) => resetClaims(consumer, claims, from),
      onAlive,
      onFailed: (error) => this.#fail(error)
    })
    consumer.on('error', (error) => this.#fail(error))
    consumer.on('consumer:heartbeat:end', onAlive)
    consumer.on('consumer:heartbeat:error', ({ error }) => onTrouble(error))
    consumer.on('consumer:group:join', ({ assignments = [] }) => this.#assign(assignments))
    consumer.on('client:metadata', () => this.#noticeShape())
    consumer.topics.trackAll(...topics)
    void this.lifetime.over().then(() => this.close())
  }

  over(): Promise<BrokerError> {
    return this.lifetime.over()
  }

  /** Resolves when the group has accepted this member. */
  async join(): Promise<void> {
    await this.lifetime.during(this.consumer.joinGroup({}))
  }

  async commit(offsets: readonly Commit[]): Promise<void> {
    const under = offsets.map((one) => ({ ...one, leaderEpoch: ANY_EPOCH }))
    const error = () => toKafkaError(new Error('no answer to a commit'), this.#options.where)
    this.#commits.add(under)
    try {
      await this.lifetime.during(this.consumer.commit({ offsets: under }), { ms: COMMIT_LIMIT_MS, error })
    } finally {
      this.#commits.delete(under)
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.lifetime.end(closedError())
    this.#options.way.isClosed = true
    this.#fetching.stop()
    destroySockets(this.#pool)
    await atMost(CLOSE_LIMIT_MS, Promise.all([this.consumer.close(true), this.#pool.close()]))
    destroySockets(this.consumer.connections)
  }

  #fail(error: unknown): void {
    this.lifetime.end(toKafkaError(error, this.#options.where))
  }

  #assign(assignments: readonly { readonly topic: string; readonly partitions: readonly number[] }[]): void {
    const { assignment, onLost, from } = this.#options
    this.#shape = this.#shapeNow()
    const lost = assignment.replace(
      assignments.flatMap(({ topic, partitions }) => partitions.map((id) => partitionName(topic, id)))
    )
    onLost(lost)
    // Other members commit these partitions now, and may be further.
    for (const commit of this.#commits) {
      const kept = commit.filter(({ topic, partition }) => assignment.has(partitionName(topic, partition)))
      commit.splice(0, commit.length, ...kept)
    }
    beginClaims(this.consumer, assignment.claims, from).then(
      () => this.#fetching.wake(),
      (error) => this.#fail(error)
    )
  }

  /** Rejoins when topics have more partitions than before, so that they are assigned anew. */
  #noticeShape(): void {
    const shape = this.#shapeNow()
    if (this.#shape === undefined || this.#shape === shape) return
    this.#shape = undefined
    this.consumer.joinGroup({}).catch((error) => this.#fail(error))
  }

  #shapeNow(): string | undefined {
    const known = this.consumer.currentMetadata?.topics
    return known && this.#options.topics.map((topic) => known.get(topic)?.partitionsCount).join()
  }
}

/** Closes sockets, because requests would wait for their answers for ever. */
export function destroySockets(pool: ConnectionPool): void {
  for (const [, connection] of pool) connection.socket?.destroy()
}
