import type { FeedAnswer } from '../../protocol/protocol.ts'
import { faultOf, isObject, NOT_UTF8, notJson, type RecordFault, textOf } from '../../records/received.ts'
import type { JsonRecord } from '../../records/table.ts'

const MAX_ERRORS = 100

export interface ParsedBody {
  readonly records: readonly JsonRecord[]
  readonly answer: FeedAnswer
}

/** One record, an array of them, or one on each line. Lines and elements are counted from 1. */
export function parseBody(body: Uint8Array): ParsedBody {
  const sorter = new Sorter()
  const text = textOf(body)
    ?.replace(/^\ufeff/, '')
    .trim()
  if (text === undefined) sorter.refuse(1, NOT_UTF8)
  else if (text !== '') sortText(text, sorter)
  return sorter.result()
}

function sortText(text: string, sorter: Sorter): void {
  const lineEnd = text.indexOf('\n')
  const isWhole = lineEnd === -1 || parsed(text.slice(0, lineEnd)).fault !== undefined
  const whole = isWhole ? parsed(text) : undefined
  if (whole !== undefined && 'value' in whole) {
    if (Array.isArray(whole.value)) for (const [i, item] of whole.value.entries()) sorter.add(i + 1, item)
    else sorter.add(1, whole.value)
  } else if (whole?.fault !== undefined && (lineEnd === -1 || text.startsWith('['))) sorter.refuse(1, whole.fault)
  else sortLines(text, sorter)
}

function sortLines(text: string, sorter: Sorter): void {
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const { value, fault } = parsed(line)
    if (fault === undefined) sorter.add(i + 1, value)
    else sorter.refuse(i + 1, fault)
  }
}

type Parsed = { value: unknown; fault?: undefined } | { fault: RecordFault; value?: undefined }

function parsed(text: string): Parsed {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { fault: notJson(error) }
  }
}

class Sorter {
  readonly #records: JsonRecord[] = []
  readonly #errors: FeedAnswer['errors'][number][] = []
  #rejected = 0

  add(line: number, value: unknown): void {
    const fault = isObject(value) ? faultOf(value) : { code: 'not_object', reason: 'A record is a JSON object' }
    if (fault === undefined) this.#records.push(value as JsonRecord)
    else this.refuse(line, fault)
  }

  refuse(line: number, { code, reason }: RecordFault): void {
    this.#rejected += 1
    if (this.#errors.length < MAX_ERRORS) this.#errors.push({ line, code, message: reason })
  }

  result(): ParsedBody {
    const accepted = this.#records.length
    return { records: this.#records, answer: { accepted, rejected: this.#rejected, errors: this.#errors } }
  }
}
