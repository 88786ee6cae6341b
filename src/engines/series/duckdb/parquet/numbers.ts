import type { Block } from './block.ts'
import { Deltas } from './deltas.ts'
import {
  BYTE_STREAM_SPLIT,
  type Chunk,
  type DataPage,
  DELTA_BINARY_PACKED,
  PLAIN,
  PLAIN_DICTIONARY,
  RLE_DICTIONARY,
  unsupportedEncoding
} from './pages.ts'
import { Runs } from './runs.ts'
import { type Column, columnOf, type Values } from './values.ts'

/** How numbers of a column become doubles. */
export interface NumberKind {
  readonly type: number
  readonly sizeBytes: number
  /** Subtracted from each number. */
  readonly origin: bigint
  /** Decodes numbers that are stored plainly, one after the other. */
  decode(view: DataView, place: number, out: Float64Array, at: number, count: number): void
}

const INT32: NumberKind = {
  type: 1,
  sizeBytes: 4,
  origin: 0n,
  decode(view, place, out, at, count) {
    for (let i = 0; i < count; i += 1) out[at + i] = view.getInt32(place + i * 4, true)
  }
}

const DOUBLE: NumberKind = {
  type: 5,
  sizeBytes: 8,
  origin: 0n,
  decode(view, place, out, at, count) {
    for (let i = 0; i < count; i += 1) out[at + i] = view.getFloat64(place + i * 8, true)
  }
}

/** Subtracts in halves: the difference is exact even where the number itself is too large for a double. */
function int64Since(origin: bigint): NumberKind {
  const high = Number(origin >> 32n)
  const low = Number(origin & 0xffffffffn)
  return {
    type: 2,
    sizeBytes: 8,
    origin,
    decode(view, place, out, at, count) {
      for (let i = 0, from = place; i < count; i += 1, from += 8) {
        out[at + i] = (view.getInt32(from + 4, true) - high) * 4_294_967_296 + (view.getUint32(from, true) - low)
      }
    }
  }
}

export const NUMBER_KINDS = { int32: INT32, double: DOUBLE, int64Since }

export interface NumberColumn extends Column<Float64Array> {
  /** Reads any single row; undefined where the rows before it would have to be read. */
  readonly at: ((row: number) => number) | undefined
  /** All rows in order; one call for each run of equal values. */
  visit(each: (value: number, count: number) => void): void
}

type NumberValues = Values<Float64Array> & { readonly sizeBytes?: number; readonly runs?: Runs }

export function numbersOf(chunk: Chunk, kind: NumberKind): NumberColumn {
  const dictionary = chunk.dictionary
  const lookup = dictionary === undefined ? undefined : plainNumbers(dictionary.block, 0, dictionary.count, kind)
  const pages = chunk.pages.map((page) => ({ page, values: valuesOf(page, kind, lookup) }))
  let sizeBytes = lookup?.byteLength ?? 0
  for (const { page, values } of pages) {
    sizeBytes += page.block.bytes.length + (page.before?.byteLength ?? 0) + (values.sizeBytes ?? 0)
  }
  const column = columnOf(pages, sizeBytes, Number.NaN)
  const visit: NumberColumn['visit'] = (each) => {
    let first = 0
    for (const { page, values } of pages) {
      if (values.runs !== undefined && lookup !== undefined && page.before === undefined) {
        values.runs.visit(lookup, page.rowCount, each)
      } else {
        const numbers = new Float64Array(page.rowCount)
        column.fill(numbers, 0, first, page.rowCount)
        for (const number of numbers) each(number, 1)
      }
      first += page.rowCount
    }
  }
  return { ...column, visit, at: atOf(pages) }
}

/** Only for a single page in which every row has a value: times, for which this is made, are like that. */
function atOf(pages: readonly { readonly page: DataPage; readonly values: NumberValues }[]): NumberColumn['at'] {
  const [only] = pages
  if (pages.length !== 1 || only?.values.at === undefined || only.page.before !== undefined) return undefined
  return (row) => only.values.at?.(row) as number
}

function valuesOf(page: DataPage, kind: NumberKind, lookup: Float64Array | undefined): NumberValues {
  const { block, start, valueCount, encoding } = page
  switch (encoding) {
    case PLAIN:
      return plainValues(block, start, valueCount, kind)
    case PLAIN_DICTIONARY:
    case RLE_DICTIONARY:
      return indexedValues(page, lookup)
    case DELTA_BINARY_PACKED:
      if (kind === DOUBLE) break
      return deltaValues(page, kind)
    case BYTE_STREAM_SPLIT:
      if (kind !== DOUBLE) break
      return splitValues(block, start, valueCount)
  }
  throw unsupportedEncoding(encoding)
}

function plainNumbers(block: Block, start: number, count: number, kind: NumberKind): Float64Array {
  const values = plainValues(block, start, count, kind)
  const numbers = new Float64Array(count)
  values.fill(numbers, 0, 0, count)
  return numbers
}

function plainValues(block: Block, start: number, count: number, kind: NumberKind): NumberValues {
  checkSize(block, start, count, kind.sizeBytes)
  const one = new Float64Array(1)
  return {
    fill: (out, at, from, length) => kind.decode(block.view, start + from * kind.sizeBytes, out, at, length),
    at(from) {
      kind.decode(block.view, start + from * kind.sizeBytes, one, 0, 1)
      return one[0] as number
    }
  }
}

function indexedValues({ block, start, valueCount }: DataPage, lookup: Float64Array | undefined): NumberValues {
  if (lookup === undefined) throw new Error('it lacks its dictionary')
  if (valueCount > 0 && start >= block.bytes.length) throw new Error('it ends too early')
  const runs = new Runs(block, start + 1, block.bytes.length, block.view.getUint8(start))
  return {
    runs,
    fill: (out, at, from, count) => runs.fill(lookup, out, at, from, count),
    at: (from) => runs.at(lookup, from, valueCount)
  }
}

function deltaValues({ block, start, valueCount }: DataPage, kind: NumberKind): NumberValues {
  const deltas = new Deltas(block, start, block.bytes.length, kind.origin)
  if (deltas.length !== valueCount) throw new Error(`it has ${deltas.length} values instead of ${valueCount}`)
  return { sizeBytes: deltas.sizeBytes, fill: (out, at, from, count) => deltas.fill(out, at, from, count) }
}

/** Numbers stored as all first bytes, then all second bytes, and so on. */
function splitValues(block: Block, start: number, count: number): NumberValues {
  checkSize(block, start, count, 8)
  const bytes = block.bytes
  return {
    fill(out, at, from, length) {
      const halves = new Int32Array(out.buffer, out.byteOffset + at * 8, length * 2)
      for (let i = 0, place = start + from; i < length; i += 1, place += 1) {
        halves[2 * i] = word(bytes, place, count)
        halves[2 * i + 1] = word(bytes, place + 4 * count, count)
      }
    }
  }
}

function word(bytes: Uint8Array, place: number, step: number): number {
  return (
    (bytes[place] as number) |
    ((bytes[place + step] as number) << 8) |
    ((bytes[place + 2 * step] as number) << 16) |
    ((bytes[place + 3 * step] as number) << 24)
  )
}

function checkSize(block: Block, start: number, count: number, sizeBytes: number): void {
  if (!(count >= 0 && start + count * sizeBytes <= block.bytes.length)) throw new Error('it ends too early')
}
