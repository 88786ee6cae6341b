import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs'
import { atMost, closedError, Lifetime } from '../lifetime.ts'
import type { Session } from '../link.ts'
import { RETRY } from './client.ts'
import { toKafkaError } from './errors.ts'
import { partitionName } from './message.ts'

/** The shortest that brokers allow unless told otherwise: so long nobody reads the partitions of one that crashed. */
const SESSION_LIMIT_MS = 6000
const HEARTBEAT_MS = 1000
const FETCH_WAIT_MS = 500
const CLOSE_LIMIT_MS = 3000

export interface KafkaSession extends Session {
  readonly consumer: Consumer
  readonly lifetime: Lifetime
}

export interface KafkaSessionOptions {
  readonly group: string
  readonly topics: readonly string[]
  readonly fromBeginning: boolean
  readonly where: string
  /** Before anything is fetched. */
  readonly onAssigned: (partitions: readonly string[], consumer: Consumer) => void
  /** Kafka has answered. */
  readonly onAlive: () => void
  readonly onBatch: (payload: EachBatchPayload) => Promise<void>
}

/** One membership in the group, until the client gives it up. */
export async function openSession(client: Kafka, options: KafkaSessionOptions): Promise<KafkaSession> {
  const { group, topics, fromBeginning, where, onAssigned, onAlive, onBatch } = options
  const lifetime = new Lifetime()
  const consumer = client.consumer({
    groupId: group,
    sessionTimeout: SESSION_LIMIT_MS,
    heartbeatInterval: HEARTBEAT_MS,
    maxWaitTimeInMs: FETCH_WAIT_MS,
    allowAutoTopicCreation: false,
    // Longer than elsewhere: whoever comes back as the same member need not wait for the group.
    retry: { ...RETRY, retries: 8, restartOnFailure: async () => false }
  })
  const { CRASH, GROUP_JOIN, FETCH, HEARTBEAT } = consumer.events
  consumer.on(CRASH, ({ payload }) => lifetime.end(toKafkaError(payload.error, where)))
  consumer.on(FETCH, onAlive)
  consumer.on(HEARTBEAT, onAlive)
  consumer.on(GROUP_JOIN, ({ payload: { memberAssignment } }) => {
    const partitions = Object.entries(memberAssignment).flatMap(([topic, ids]) =>
      ids.map((id) => partitionName(topic, id))
    )
    onAssigned(partitions, consumer)
  })
  const close = async () => {
    lifetime.end(closedError())
    await atMost(CLOSE_LIMIT_MS, consumer.disconnect())
  }
  try {
    await consumer.connect()
    await consumer.subscribe({ topics: [...topics], fromBeginning })
    await lifetime.during(consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: onBatch }))
  } catch (error) {
    await close()
    throw error
  }
  void lifetime.over().then(close)
  return { consumer, lifetime, over: () => lifetime.over(), close }
}
