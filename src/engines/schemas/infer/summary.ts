import { formatOf, type TextFormat } from './text-format.ts'

/** What was seen at one place of all samples. */
export interface Summary {
  nulls: number
  booleans: number
  /** Whole numbers that 64 bits hold. */
  integers: number
  numbers: number
  strings: number
  /** Which of all strings so far have; undefined where they differ or have none. */
  format: TextFormat | undefined
  lists: number
  items: Summary | undefined
  records: number
  readonly fields: Map<string, Summary>
  /** Set where there are more names than a record has: what stands under any of them. */
  entries: Summary | undefined
  /** Something that is too deep to look at. */
  others: number
}

/** Names are then data rather than part of a shape. */
export const MAX_FIELDS = 500
/** A schema that is nested deeper is refused by many. */
export const MAX_SAMPLE_DEPTH = 60
const LONG_LIMIT = 2 ** 63

export function emptySummary(): Summary {
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

export function add(summary: Summary, value: unknown, depth: number): void {
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
