import type { ColumnType } from '../../index.ts'
import { commonType, type FieldColumn, fitting, type RawValue } from '../fields.ts'
import { joined } from './csv-record.ts'
import { elementsOf } from './elements.ts'
import { type Block, BlockMaker, type FileFormat, type FileInput, withoutPlace } from './format.ts'
import { type Line, linesOf } from './lines.ts'
import { nameOf } from './name.ts'

/** Records that columns are taken from. */
const SAMPLED = 200

/**
 * Objects: one in each line, or an array of them, or one after the other over any lines. Numbers are doubles, because whole
 * ones may be followed by others; only where some are too large for that to be exact they are whole numbers.
 */
export const json: FileFormat = {
  async fieldsOf(file) {
    const types = new Map<string, ColumnType | undefined>()
    let count = 0
    for await (const records of recordsOf(file)) {
      for (const { text } of records) {
        addTypes(types, entriesOf(text) ?? [])
        count += 1
        if (count === SAMPLED) return fieldsWith(types)
      }
    }
    return fieldsWith(types)
  },

  async *blocks(file, columns, after) {
    const places = new Map(columns.map(({ field }, i) => [field, i]))
    for await (const records of recordsOf(file)) {
      const block = blockOf(records, columns, places, after)
      if (block.rows.length > 0) yield block
    }
  }
}

/** Texts of records, with the line or the number of each. */
async function* recordsOf(file: FileInput): AsyncGenerator<Line[]> {
  const { ending } = nameOf(file.path)
  if (ending !== 'ndjson' && ending !== 'jsonl' && !(await hasObjectsInLines(file))) {
    yield* elementsOf(file.bytes())
    return
  }
  for await (const lines of linesOf(file.bytes())) yield lines.filter(({ text }) => text.trim() !== '')
}

/** The first line that says something tells: it is an object for itself, or not. */
async function hasObjectsInLines(file: FileInput): Promise<boolean> {
  for await (const lines of linesOf(file.bytes())) {
    const first = lines.find(({ text }) => text.trim() !== '')
    if (first !== undefined) return entriesOf(first.text) !== undefined
  }
  return true
}

/** The members of an object in a text; undefined where it is none. */
function entriesOf(text: string): [string, RawValue][] | undefined {
  try {
    const value = HAS_LARGE.test(text) ? JSON.parse(text, exactWholes) : JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return Object.entries(value as Record<string, RawValue>).map(([name, member]) => [
      name,
      isRaw(member) ? BigInt(String(member.rawJSON)) : member
    ])
  } catch {
    return undefined
  }
}

const HAS_LARGE = /\d{16}/

/** Node has these, the types of its language not yet. */
const raw = JSON as unknown as { rawJSON(text: string): Raw; isRawJSON(value: unknown): boolean }
interface Raw {
  readonly rawJSON: string
}
const isRaw = (value: unknown): value is Raw => raw.isRawJSON(value)

/** Whole numbers that a double would change stay what is written, wherever they are. */
function exactWholes(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return source !== undefined && /^-?\d{1,40}$/.test(source) ? raw.rawJSON(source) : value
}

function addTypes(types: Map<string, ColumnType | undefined>, entries: readonly [string, RawValue][]): void {
  for (const [name, value] of entries) {
    const [known, found] = [types.get(name), typeOf(value)]
    types.set(name, known && found ? commonType(known, found) : (known ?? found))
  }
}

function typeOf(value: RawValue): ColumnType | undefined {
  if (value === null) return undefined
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'double'
  if (typeof value === 'bigint') return fitting(value, 'bigint') === undefined ? 'text' : 'bigint'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'text' : 'json'
}

const fieldsWith = (types: ReadonlyMap<string, ColumnType | undefined>) =>
  [...types].map(([name, type = 'json']) => ({ name, type: type === 'integer' ? ('double' as const) : type }))

function blockOf(
  records: readonly Line[],
  columns: readonly FieldColumn[],
  places: ReadonlyMap<string, number>,
  after: number
): Block {
  const block = new BlockMaker(columns.length)
  for (const { text, number, odd } of records) {
    if (number <= after) continue
    const entries = entriesOf(text)
    if (entries === undefined) {
      block.add(number, joined(odd, 'no object of JSON'))
      continue
    }
    const at = block.add(number, odd)
    const names: string[] = []
    for (const [name, value] of entries) {
      const place = places.get(name) ?? -1
      const fitted = place < 0 ? undefined : fitting(value, (columns[place] as FieldColumn).type)
      if (fitted === undefined) names.push(name)
      else (block.values[place] as unknown[])[at] = fitted
    }
    const lost = withoutPlace(names, 'fields that no column is for, or that do not fit it')
    if (lost !== null) block.odd[at] = joined(odd, lost)
  }
  return block
}
