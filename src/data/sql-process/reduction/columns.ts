import type { DuckDBDataChunk, DuckDBResult, DuckDBType, DuckDBValue } from '@duckdb/node-api'
import { DuckDBTypeId } from '@duckdb/node-api'
import { toDataValue } from '../row-values.ts'

/** Units of times by type, in how many there are in a millisecond. */
const TIMES: ReadonlyMap<DuckDBTypeId, number> = new Map([
  [DuckDBTypeId.TIMESTAMP, 1000],
  [DuckDBTypeId.TIMESTAMP_TZ, 1000],
  [DuckDBTypeId.TIMESTAMP_NS, 1_000_000],
  [DuckDBTypeId.TIMESTAMP_MS, 1],
  [DuckDBTypeId.TIMESTAMP_S, 0.001],
  [DuckDBTypeId.DATE, 1 / 86_400_000]
])
const NUMBERS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.DECIMAL,
  DuckDBTypeId.BOOLEAN
])
const TEXTS: ReadonlySet<DuckDBTypeId> = new Set([DuckDBTypeId.VARCHAR, DuckDBTypeId.ENUM, DuckDBTypeId.UUID])

/** The columns of an answer that are drawn over time, by their places. */
export interface TimedColumns {
  readonly time: number
  readonly unitsPerMs: number
  /** Whether times are days, without a time of the day. */
  readonly isDay: boolean
  readonly numbers: readonly number[]
  /** Each combination of these texts is a series. */
  readonly texts: readonly number[]
}

/** Undefined where an answer has nothing that could be drawn over time. */
export function timedColumnsOf(result: DuckDBResult): TimedColumns | undefined {
  const types = result.columnTypes()
  const time = types.findIndex(({ typeId }) => TIMES.has(typeId))
  const numbers = placesOf(types, NUMBERS)
  if (time < 0 || numbers.length === 0) return undefined
  const { typeId } = types[time] as DuckDBType
  const unitsPerMs = TIMES.get(typeId) as number
  return { time, unitsPerMs, isDay: typeId === DuckDBTypeId.DATE, numbers, texts: placesOf(types, TEXTS) }
}

const placesOf = (types: readonly DuckDBType[], wanted: ReadonlySet<DuckDBTypeId>): number[] =>
  types.flatMap(({ typeId }, at) => (wanted.has(typeId) ? [at] : []))

/** A vector of DuckDB, with what its types keep to themselves. */
interface Vector {
  readonly items?: unknown
  readonly validity?: { readonly data?: unknown }
  getItem(row: number): DuckDBValue
}

const vectorAt = (chunk: DuckDBDataChunk, place: number) => chunk.getColumnVector(place) as unknown as Vector

/**
 * The times of a chunk, in halves: the upper 32 bits of row n at 2n + 1, the lower ones at 2n. One by one, as whole numbers of
 * 64 bits, they would take longer to read than the query takes.
 */
export function timeHalvesOf(chunk: DuckDBDataChunk, place: number): Int32Array {
  const { items, validity } = vectorAt(chunk, place)
  if (items instanceof Int32Array) return dayHalvesOf(items, chunk, place)
  if (!(items instanceof BigInt64Array)) throw new Error('Times of DuckDB are no longer numbers of 64 bits')
  const halves = new Int32Array(items.buffer, items.byteOffset, items.length * 2)
  if (validity?.data == null) return halves
  const known = halves.slice()
  const vector = vectorAt(chunk, place)
  for (let row = 0; row < chunk.rowCount; row++) if (vector.getItem(row) === null) known[2 * row + 1] = NO_TIME
  return known
}

/** The farthest days of DuckDB are its infinities. */
const ENDLESS_DAY = 0x7fff_ffff

function dayHalvesOf(days: Int32Array, chunk: DuckDBDataChunk, place: number): Int32Array {
  const vector = vectorAt(chunk, place)
  const halves = new Int32Array(days.length * 2)
  for (const [row, day] of days.entries()) {
    const isKnown = Math.abs(day) < ENDLESS_DAY && vector.getItem(row) !== null
    halves[2 * row] = day
    halves[2 * row + 1] = isKnown ? day >> 31 : NO_TIME
  }
  return halves
}

/** The upper half of a time that is infinite or not known. */
export const NO_TIME = 0x7fff_ffff

/** The numbers of a chunk; those that are not known are not a number. */
export function numbersOf(chunk: DuckDBDataChunk, place: number): Float64Array {
  const vector = vectorAt(chunk, place)
  if (vector.validity?.data == null) {
    if (vector.items instanceof Float64Array) return vector.items
    if (vector.items instanceof Int32Array || vector.items instanceof Float32Array)
      return new Float64Array(vector.items)
  }
  const numbers = new Float64Array(chunk.rowCount)
  for (let row = 0; row < chunk.rowCount; row++) {
    const value = toDataValue(vector.getItem(row))
    numbers[row] = value === null ? Number.NaN : Number(value)
  }
  return numbers
}

/** The text of a row, or what stands for none. */
export function textAt(chunk: DuckDBDataChunk, place: number, row: number): string | null {
  const value = toDataValue(vectorAt(chunk, place).getItem(row))
  return value === null ? null : String(value)
}
