import type { Message } from '../../../engines/brokers/index.ts'
import type { MessageSourceConfig } from './messages-config.ts'
import { parseCsv, sortFields } from './messages-csv.ts'
import { cut, NOT_UTF8, notJson, type Sorted, sortJson, textOf } from './messages-records.ts'
import type { JsonRecord } from './records-table.ts'

/** Sorts what a message holds into records and what is none. */
export function sortMessage(message: Message, config: MessageSourceConfig, nowMs: number, into: Sorted): void {
  const text = textOf(message.payload)
  if (text === undefined) {
    into.rejected.push({ ...NOT_UTF8, record: cut(Buffer.from(message.payload).toString('latin1')) })
    return
  }
  const from = into.records.length
  if (config.format === 'text') sortJson({ value: text }, into)
  else if (config.format === 'csv') for (const line of parseCsv(text)) sortFields(config.columns ?? [], line, into)
  else sortText(text, into)
  if (config.metadata === true) addMetadata(message, nowMs, into.records, from)
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
