import { sqlName, sqlText } from '../../../../data/relation.ts'
import { type Broker, type OutgoingMessage, openBroker } from '../../../../engines/brokers/index.ts'
import { NodeFault } from '../../contract/context.ts'
import type { DrySink, Sink, SinkContext, SinkRejected } from '../../contract/sink.ts'
import { withIsoTimes } from '../../records/json.ts'
import { asText } from '../../records/told-columns.ts'
import { DeliverySink } from '../outside/delivery.ts'
import { connected } from '../outside/faults.ts'
import type { MessageSinkConfig } from './config.ts'

const MAX_PART_MESSAGES = 10_000
const MAX_PART_BYTES = 8 * 1024 * 1024

type JsonMessage = OutgoingMessage & { readonly payload: string }

/** One message for each record. */
export async function openMessagesSink(kind: Broker['kind'], context: SinkContext<MessageSinkConfig>): Promise<Sink> {
  const { connection, topic, key, stream } = context.config
  const outbound = await context.outbound()
  const broker = await connected(() => openBroker({ kind, ...connection }, { outbound }))
  const keySql = key === undefined ? 'NULL' : asText(`r.${sqlName(key)}`)
  return new DeliverySink<JsonMessage>(context, {
    maxRows: MAX_PART_MESSAGES,
    maxBytes: MAX_PART_BYTES,
    select: (flow) =>
      `SELECT ${topicIn(topic)} AS topic, ${keySql} AS key, to_json(r)::VARCHAR AS record FROM (${withIsoTimes(flow)}) r`,
    itemOf([to, keyText, payload]) {
      if (to === null || to === '') return new NodeFault('records', NO_TOPIC.code, NO_TOPIC.reason)
      return {
        topic: String(to),
        payload: String(payload),
        ...(keyText !== null && keyText !== undefined && { key: String(keyText) })
      }
    },
    bytesOf: ({ payload }) => payload.length,
    send: (messages) =>
      connected(() => broker.publish(messages, stream === undefined ? {} : { stream })).catch((error) => {
        throw aboutTopic(error, topic)
      }),
    recordOf: ({ payload }) => payload,
    close: () => broker.close()
  })
}

/** Looks whether records name topics, and calls nobody. */
export async function dryMessagesSink({ config, database }: SinkContext<MessageSinkConfig>): Promise<DrySink> {
  const sink: Sink = {
    async write({ sql }) {
      const reader = await database.runAndReadAll(`SELECT coalesce(${topicIn(config.topic)}, '') = '' FROM (${sql}) r`)
      const nameless = reader.getRows().map(([isNameless]) => isNameless === true)
      const rejected = nameless.flatMap((isNameless, place): SinkRejected[] => {
        return isNameless ? [{ place, ...NO_TOPIC, record: '' }] : []
      })
      return { taken: nameless.length, written: nameless.length - rejected.length, rejected }
    },
    close: async () => {}
  }
  return { sink, asked: 'own' }
}

const topicIn = (topic: MessageSinkConfig['topic']): string =>
  typeof topic === 'string' ? sqlText(topic) : asText(`r.${sqlName(topic.column)}`)

const NO_TOPIC = { code: 'no_topic', reason: 'The record names no topic' }

/** A topic that can't be is the fault of the record that named it. */
function aboutTopic(error: unknown, topic: MessageSinkConfig['topic']): unknown {
  if (!(error instanceof NodeFault) || typeof topic === 'string') return error
  return error.code === 'invalid' || error.code === 'not_found'
    ? new NodeFault('records', error.code, error.message)
    : error
}
