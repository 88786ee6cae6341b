import type { ColumnType, StreamColumn, StreamValue } from '../index.ts'

/** What a file has in each record: a column of CSV or Parquet, a member of objects in JSON. */
export interface Field {
  readonly name: string
  readonly type: ColumnType
}

/** A column of a stream, and the field that it is made of. */
export interface FieldColumn extends Field {
  readonly field: string
}

/** Of the driver itself, behind those of the files. */
export const OWN_COLUMNS: readonly StreamColumn[] = [
  { name: '_file', type: 'text', nullable: false },
  { name: '_row', type: 'bigint', nullable: false },
  { name: '_odd', type: 'text', nullable: true },
  { name: '_position', type: 'text', nullable: false }
]
export const KEYS = ['_file', '_row']
export const CURSOR = '_position'

/** More are not made columns of; who made the file did not mean a record. */
const MAX_COLUMNS = 1000

const NUMBERS: readonly ColumnType[] = ['integer', 'bigint', 'double']

/** The type that values of both have a place in. */
export function commonType(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b) return a
  const [first, second] = [NUMBERS.indexOf(a), NUMBERS.indexOf(b)]
  if (first >= 0 && second >= 0) return NUMBERS[Math.max(first, second)] as ColumnType
  return a === 'json' || b === 'json' ? 'json' : 'text'
}

/** The columns for files with these fields: those of the first file first, each name once, as SQL counts. */
export function columnsFor(files: readonly (readonly Field[])[]): FieldColumn[] {
  const types = new Map<string, ColumnType>()
  for (const { name, type } of files.flat()) {
    const known = types.get(name)
    if (known !== undefined) types.set(name, commonType(known, type))
    else if (types.size < MAX_COLUMNS) types.set(name, type)
  }
  const taken = new Set(OWN_COLUMNS.map(({ name }) => name))
  return [...types].map(([field, type]) => ({ field, type, name: freeName(field, taken) }))
}

/** A name that was not given yet; SQL knows no difference between id and ID. */
export function freeName(given: string, taken: Set<string>): string {
  let name = given
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${given}_${n}`
  taken.add(name.toLowerCase())
  return name
}

/** What a file has for a field: as JSON has it, or as the columns of Parquet are. */
export type RawValue = StreamValue | object

/** The value as its column has it; undefined where it does not fit. */
export function fitting(value: RawValue, type: ColumnType): StreamValue | undefined {
  if (value === null) return null
  switch (type) {
    case 'text':
      return typeof value === 'object' && !(value instanceof Uint8Array) ? JSON.stringify(value) : String(value)
    case 'json':
      return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : undefined
    case 'bigint':
      return wholeNumber(value)
    case 'double':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
    case 'blob':
      return value instanceof Uint8Array ? value : undefined
    default:
      return typeof value === 'string' ? value : undefined
  }
}

const LARGEST = 2n ** 63n - 1n

function wholeNumber(value: RawValue): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'bigint' && value <= LARGEST && value >= -LARGEST - 1n ? value : undefined
}
