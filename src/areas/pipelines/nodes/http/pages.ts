import { NodeFault } from '../../contract/context.ts'
import { cut, isObject, notJson, type Sorted, sortJson, textOf } from '../../records/received.ts'
import { parseCsv, sortFields } from '../../records/received-csv.ts'
import type { JsonRecord } from '../../records/table.ts'
import type { HttpSourceConfig } from './source.ts'

export interface Page extends Sorted {
  /** The address of the next one. */
  readonly next: string | undefined
}

/** What a server answered, as records. */
export function parsePage(bytes: Uint8Array, url: string, config: HttpSourceConfig): Page {
  const text = textOf(bytes)?.replace(/^\ufeff/, '')
  if (text === undefined) throw new NodeFault('transient', 'not_utf8', 'The answer is not UTF-8; check the address')
  const sorted: Sorted = { records: [], rejected: [], origins: [] }
  if (config.format === 'csv') sortCsv(text, sorted)
  else if (config.format === 'ndjson') sortLines(text, sorted)
  else return { ...sorted, next: sortAnswer(text, url, config, sorted) }
  return { ...sorted, next: undefined }
}

function sortLines(text: string, sorted: Sorted): void {
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    try {
      sortJson(JSON.parse(line), sorted)
    } catch (error) {
      sorted.rejected.push({ ...notJson(error), record: cut(line) })
    }
  }
}

function sortCsv(text: string, sorted: Sorted): void {
  const [names = [], ...lines] = parseCsv(text)
  for (const fields of lines) sortFields(names, fields, sorted)
}

function sortAnswer(text: string, url: string, { records, next }: HttpSourceConfig, sorted: Sorted) {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw new NodeFault('transient', 'not_json', 'The answer is not JSON; check the address and `format`')
  }
  const found = at(answer, records ?? '')
  if (found === undefined) {
    throw new NodeFault('transient', 'no_records', 'The answer has nothing at the place that `records` points to')
  }
  if (found !== null) sortJson(found, sorted)
  return next === undefined ? undefined : pageAfter(at(answer, next), url)
}

/** Credentials in headers go to the server that they were given for, and no other. */
function pageAfter(next: unknown, url: string): string | undefined {
  if (next === undefined || next === null || next === '' || next === false) return undefined
  const page = typeof next === 'string' ? URL.parse(next, url) : null
  if (page === null) throw new NodeFault('fatal', 'bad_page', '`next` does not point to the address of a page')
  if (page.origin === new URL(url).origin) return page.href
  throw new NodeFault('fatal', 'foreign_page', 'The next page is on another server; only the one of `url` is asked')
}

function at(value: unknown, pointer: string): unknown {
  let found = value
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(found)) found = found[Number(name)]
    else found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return found
}

export type CursorValue = string | number

/** The greatest value of a field, with those before. */
export function greatest(records: readonly JsonRecord[], field: string, before: CursorValue | undefined) {
  let most = before
  for (const record of records) {
    const value = Object.hasOwn(record, field) ? record[field] : undefined
    if ((typeof value === 'number' || typeof value === 'string') && (most === undefined || isAfter(value, most))) {
      most = value
    }
  }
  return most
}

const isAfter = (a: CursorValue, b: CursorValue): boolean => (typeof a === typeof b ? a > b : String(a) > String(b))
