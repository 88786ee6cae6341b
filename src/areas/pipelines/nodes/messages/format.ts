import type { Message } from '../../../../engines/brokers/index.ts'
import type { Origin } from '../../contract/source.ts'
import { cut, NOT_UTF8, notJson, type Sorted, sortJson, stamp, textOf } from '../../records/received.ts'
import { parseCsv, sortFields } from '../../records/received-csv.ts'
import type { JsonRecord } from '../../records/table.ts'
import type { MessageSourceConfig } from './config.ts'

/** Sorts what a message holds into records and what is none. */
export function sortMessage(message: Message, config: MessageSourceConfig, nowMs: number, into: Sorted): void {
  const from = { records: into.records.length, rejected: into.rejected.length }
  sortPayload(message.payload, config, into)
  if (config.metadata === true) addMetadata(message, nowMs, into.records, from.records)
  stamp(into, from, originOf(message))
}

function sortPayload(payload: Uint8Array, { format, columns = [] }: MessageSourceConfig, into: Sorted): void {
  const text = textOf(payload)
  const names = Array.isArray(columns) ? columns : Object.keys(columns)
  if (text === undefined) into.rejected.push({ ...NOT_UTF8, record: cut(Buffer.from(payload).toString('latin1')) })
  else if (format === 'text') sortJson({ value: text }, into)
  else if (format === 'csv') for (const line of parseCsv(text)) sortFields(names, line, into)
  else sortText(text, into)
}

/** Where somebody finds the message again. A position is the one after it with Kafka, and its own with a stream. */
function originOf({ topic, position }: Message): Origin {
  if (position === undefined) return { topic }
  const { of, at } = position
  const partition = of.startsWith(`${topic}/`) ? of.slice(topic.length + 1) : undefined
  if (partition === undefined) return { topic, stream: of, sequence: Number(at) }
  return { topic, partition: Number(partition), offset: Number(at) - 1 }
}

function sortText(text: string, into: Sorted): void {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    into.rejected.push({ ...notJson(error), record: cut(text) })
    return
  }
  sortJson(value, into)
}

function addMetadata({ topic, key, timeMs }: Message, nowMs: number, records: JsonRecord[], from: number): void {
  const metadata = { _topic: topic, _key: key ?? null, _time: new Date(timeMs ?? nowMs).toISOString() }
  for (let i = from; i < records.length; i++) records[i] = { ...records[i], ...metadata }
}
