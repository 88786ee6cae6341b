import type { Converted, Loss, RecordShape, Shape, StringFormat } from '../format.ts'

/**
 * A shape that all samples have. It says no more than samples can show: strings are not taken for enums however few
 * there are, whole numbers have 64 bits, records may have fields that no sample has.
 */
export function shapeOfValues(values: readonly unknown[]): Converted<Shape> {
  const summary = emptySummary()
  for (const value of values) add(summary, value, 0)
  const lost: Loss[] = []
  return { result: shapeOf(summary, '', lost), lost }
}

function shapeOf(summary: Summary, path: string, lost: Loss[]): Shape {
  if (summary.others > 0) {
    const message = `What is nested over ${MAX_SAMPLE_DEPTH} levels deep, or is no JSON, was not looked at.`
    lost.push({ path, message })
    return { kind: 'any' }
  }
  const options: Shape[] = []
  if (summary.nulls > 0) options.push({ kind: 'null' })
  if (summary.booleans > 0) options.push({ kind: 'boolean' })
  if (summary.numbers > 0) options.push({ kind: 'number', bits: 64 })
  else if (summary.integers > 0) options.push({ kind: 'integer', bits: 64, signed: true })
  if (summary.strings > 0) {
    options.push(summary.format === undefined ? { kind: 'string' } : { kind: 'string', format: summary.format })
  }
  if (summary.lists > 0) options.push({ kind: 'list', items: itemsOf(summary, path, lost) })
  if (summary.records > 0)
    options.push(summary.entries === undefined ? record(summary, path, lost) : map(summary, path, lost))
  const [only, second] = options
  if (only === undefined) return { kind: 'any' }
  return second === undefined ? only : { kind: 'union', options }
}

function itemsOf(summary: Summary, path: string, lost: Loss[]): Shape {
  return summary.items === undefined ? { kind: 'any' } : shapeOf(summary.items, `${path}/items`, lost)
}

function map(summary: Summary, path: string, lost: Loss[]): Shape {
  lost.push({ path, message: `There are over ${MAX_FIELDS} names, so they are taken for data: it is a map.` })
  return { kind: 'map', values: shapeOf(summary.entries ?? emptySummary(), `${path}/values`, lost) }
}

function record(summary: Summary, path: string, lost: Loss[]): RecordShape {
  const fields = [...summary.fields].map(([name, field]) => ({
    name,
    shape: shapeOf(field, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, lost),
    optional: seen(field) < summary.records
  }))
  return { kind: 'record', fields, open: true }
}

function seen(field: Summary): number {
  const { nulls, booleans, integers, numbers, strings, lists, records, others } = field
  return nulls + booleans + integers + numbers + strings + lists + records + others
}

/** What was seen at one place of all samples. */
interface Summary {
  nulls: number
  booleans: number
  /** Whole numbers that 64 bits hold. */
  integers: number
  numbers: number
  strings: number
  /** The format that all strings so far have; undefined where they have none in common. */
  format: TextFormat | undefined
  lists: number
  items: Summary | undefined
  records: number
  readonly fields: Map<string, Summary>
  /** Set where there are more names than a record has: what stands under any of them. */
  entries: Summary | undefined
  /** Values that are nested too deep to look at. */
  others: number
}

/** With more names the object is a map: its names are data. */
const MAX_FIELDS = 500
/** A schema that is nested deeper is refused by many. */
const MAX_SAMPLE_DEPTH = 60
const LONG_LIMIT = 2 ** 63

function emptySummary(): Summary {
  return {
    nulls: 0,
    booleans: 0,
    integers: 0,
    numbers: 0,
    strings: 0,
    format: undefined,
    lists: 0,
    items: undefined,
    records: 0,
    fields: new Map(),
    entries: undefined,
    others: 0
  }
}

function add(summary: Summary, value: unknown, depth: number): void {
  if (depth > MAX_SAMPLE_DEPTH) summary.others++
  else if (value === null) summary.nulls++
  else if (typeof value === 'boolean') summary.booleans++
  else if (typeof value === 'number') {
    if (Number.isInteger(value) && Math.abs(value) < LONG_LIMIT) summary.integers++
    else summary.numbers++
  } else if (typeof value === 'string') {
    const format = formatOf(value)
    if (summary.strings++ === 0) summary.format = format
    else if (summary.format !== format) summary.format = undefined
  } else if (Array.isArray(value)) {
    summary.lists++
    if (value.length > 0) summary.items ??= emptySummary()
    for (const item of value) add(summary.items as Summary, item, depth + 1)
  } else if (typeof value === 'object') addRecord(summary, value, depth)
  else summary.others++
}

function addRecord(summary: Summary, value: object, depth: number): void {
  summary.records++
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue
    add(summary.entries ?? fieldOf(summary, name), inner, depth + 1)
    if (summary.fields.size > MAX_FIELDS) turnIntoEntries(summary)
  }
}

function fieldOf(summary: Summary, name: string): Summary {
  const known = summary.fields.get(name)
  if (known !== undefined) return known
  const made = emptySummary()
  summary.fields.set(name, made)
  return made
}

function turnIntoEntries(summary: Summary): Summary {
  const entries = emptySummary()
  for (const field of summary.fields.values()) merge(entries, field)
  summary.fields.clear()
  summary.entries = entries
  return entries
}

function merge(into: Summary, other: Summary): void {
  if (other.strings > 0) {
    if (into.strings === 0) into.format = other.format
    else if (into.format !== other.format) into.format = undefined
  }
  for (const count of ['nulls', 'booleans', 'integers', 'numbers', 'strings', 'lists', 'records', 'others'] as const) {
    into[count] += other[count]
  }
  if (other.items !== undefined) {
    into.items ??= emptySummary()
    merge(into.items, other.items)
  }
  if (other.entries !== undefined) merge(into.entries ?? turnIntoEntries(into), other.entries)
  for (const [name, field] of other.fields) merge(into.entries ?? fieldOf(into, name), field)
  if (into.fields.size > MAX_FIELDS) turnIntoEntries(into)
}

/** What strings are taken for. Others, such as `email`, are too easily what only some values look like. */
const TEXT_FORMATS = ['date-time', 'date', 'uuid'] as const satisfies readonly StringFormat[]
type TextFormat = (typeof TEXT_FORMATS)[number]

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const LONGEST_CHARS = 36

function formatOf(text: string): TextFormat | undefined {
  if (text.length > LONGEST_CHARS) return undefined
  if (UUID.test(text)) return 'uuid'
  if (isDate(text)) return 'date'
  const day = DATE_TIME.exec(text)?.[1]
  return day !== undefined && isDate(day) ? 'date-time' : undefined
}

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? []
  if (day === undefined) return false
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}
