import { isUtf8 } from 'node:buffer'
import type { Origin, Rejected } from '../contract/source.ts'
import type { JsonRecord } from './table.ts'

/** Fields of one record. An object with more has values where names should be. */
const MAX_FIELDS = 1000
/** Levels of lists and objects within a record. */
const MAX_DEPTH = 100
const MAX_SHOWN_CHARS = 32_768

/** What came from outside, sorted into records and what is none. */
export interface Sorted {
  readonly records: JsonRecord[]
  readonly rejected: Rejected[]
  /** Where the records come from, by place. */
  readonly origins: (Origin | undefined)[]
}

/** Gives all that was sorted since `from` its origin. */
export function stamp(sorted: Sorted, from: { records: number; rejected: number }, origin: Origin): void {
  for (let i = from.records; i < sorted.records.length; i++) sorted.origins[i] = origin
  for (let i = from.rejected; i < sorted.rejected.length; i++) {
    sorted.rejected[i] = { ...(sorted.rejected[i] as Rejected), origin }
  }
}

/** Bytes as text; undefined where they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = buffer.toString()
  return text.includes('\ufffd') && !isUtf8(buffer) ? undefined : text
}

/** An object is a record, an array many, and anything else the `value` of one. */
export function sortJson(value: unknown, into: Sorted): void {
  if (Array.isArray(value)) for (const item of value) sortOne(isObject(item) ? item : { value: item }, into)
  else sortOne(isObject(value) ? value : { value }, into)
}

function sortOne(record: JsonRecord, { records, rejected }: Sorted): void {
  const fault = faultOf(record)
  if (fault === undefined) records.push(record)
  else rejected.push({ ...fault, record: shown(record) })
}

export interface RecordFault {
  readonly code: string
  readonly reason: string
}

/** Why an object can't be a record. */
export function faultOf(record: JsonRecord): RecordFault | undefined {
  let fields = 0
  for (const name in record) {
    fields += 1
    if (name.includes('\0')) return { code: 'bad_name', reason: 'The name of a field has a NUL character in it' }
    const value = record[name]
    if (typeof value === 'object' && value !== null && isDeeper(value, MAX_DEPTH)) {
      return { code: 'too_deep', reason: `A field holds values more than ${MAX_DEPTH} levels deep` }
    }
  }
  return fields > MAX_FIELDS
    ? { code: 'too_many_fields', reason: `A record has at most ${MAX_FIELDS} fields` }
    : undefined
}

export const isObject = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && isDeeper(inner, levels - 1)) return true
  }
  return false
}

/** V8 quotes the text; where it goes wrong is enough. */
export function notJson(error: unknown): RecordFault {
  const [place] = /position \d+/.exec(String(error)) ?? []
  return { code: 'not_json', reason: `This is not JSON${place === undefined ? '' : `; it goes wrong at ${place}`}` }
}

export const NOT_UTF8: RecordFault = { code: 'not_utf8', reason: 'This is not UTF-8' }

/** Something that is no record, for people to look at. */
export function cut(text: string): string {
  return text.slice(0, MAX_SHOWN_CHARS)
}

function shown(record: JsonRecord): string {
  try {
    return cut(JSON.stringify(record))
  } catch {
    return '' // nested so deeply that it can't be written
  }
}
