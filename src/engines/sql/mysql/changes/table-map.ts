import { SqlError } from '../../errors.ts'
import { Bytes } from './bytes.ts'
import { WIRE } from './wire-types.ts'

/** A table as its log describes it before each change, so that it is known as it was then. */
export interface LoggedTable {
  readonly columns: readonly LoggedColumn[]
  /** Places of the columns of the primary key. */
  readonly keyAt: readonly number[]
}

export interface LoggedColumn {
  readonly name: string
  readonly type: number
  /** Two bytes whose meaning depends on the type: lengths, digits. */
  readonly meta: readonly [number, number]
  readonly isUnsigned: boolean
  /** The number of the collation of a text; 63 is none, for bytes. */
  readonly collation: number
  /** Of an enumeration or a set. */
  readonly words: readonly Buffer[]
}

/** The name of the table, which stands before its description. */
export function tableNameOf(bytes: Bytes): { readonly id: number; readonly name: readonly [string, string] } {
  const id = bytes.number(6)
  bytes.number(2)
  const name = [named(bytes), named(bytes)] as const
  return { id, name }
}

function named(bytes: Bytes): string {
  const name = bytes.take(bytes.number(1)).toString('utf8')
  bytes.number(1)
  return name
}

export function describedTable(bytes: Bytes): LoggedTable {
  const types = [...bytes.take(bytes.packed())]
  const metaBytes = new Bytes(bytes.take(bytes.packed()))
  const shapes = types.map((type) => shapeOf(type, metaBytes))
  bytes.take((types.length + 7) >> 3) // which may be NULL
  const more = new Map<number, Buffer>()
  while (!bytes.isOver) {
    const kind = bytes.number(1)
    more.set(kind, bytes.take(bytes.packed()))
  }
  const names = listOf(more.get(COLUMN_NAMES), (one) => one.take(one.packed()).toString('utf8'))
  if (names.length !== types.length) {
    const message =
      "The log has changes without names of columns: SET GLOBAL binlog_row_metadata = 'FULL'; and begin anew"
    throw new SqlError('changes_off', message)
  }
  const collations = collationsOf(shapes, more)
  const unsigned = unsignedOf(shapes, more.get(SIGNEDNESS))
  const words = wordsOf(shapes, more)
  const columns = shapes.map(({ type, meta }, i) => ({
    name: names[i] as string,
    type,
    meta,
    isUnsigned: unsigned.has(i),
    collation: collations.get(i) ?? BINARY,
    words: words.get(i) ?? []
  }))
  return { columns, keyAt: keysOf(more) }
}

const BINARY = 63
const [SIGNEDNESS, DEFAULT_COLLATION, COLLATIONS, COLUMN_NAMES, SET_WORDS, ENUM_WORDS] = [1, 2, 3, 4, 5, 6] as const
const [KEYS, KEYS_WITH_PREFIX, WORDS_DEFAULT_COLLATION, WORDS_COLLATIONS] = [8, 9, 10, 11] as const

type Shape = Pick<LoggedColumn, 'type' | 'meta'>

const TWO_BYTES: ReadonlySet<number> = new Set([WIRE.varchar, WIRE.bit, WIRE.decimal, WIRE.string, WIRE.varString])
const ONE_BYTE: ReadonlySet<number> = new Set([
  WIRE.float,
  WIRE.double,
  WIRE.blob,
  WIRE.geometry,
  WIRE.json,
  WIRE.timestamp,
  WIRE.datetime,
  WIRE.time
])

function shapeOf(type: number, meta: Bytes): Shape {
  const first = TWO_BYTES.has(type) || ONE_BYTE.has(type) ? meta.number(1) : 0
  const second = TWO_BYTES.has(type) ? meta.number(1) : 0
  if (type !== WIRE.string) return { type, meta: [first, second] }
  // The type proper stands in the first byte, with the highest bits of a length above 255 turned around within.
  if ((first & 0x30) === 0x30) return { type: first, meta: [second, 0] }
  return { type: first | 0x30, meta: [second, ((first & 0x30) ^ 0x30) >> 4] }
}

const NUMERIC: ReadonlySet<number> = new Set([
  WIRE.tiny,
  WIRE.short,
  WIRE.int24,
  WIRE.long,
  WIRE.longlong,
  WIRE.decimal,
  WIRE.float,
  WIRE.double
])
const TEXTS: ReadonlySet<number> = new Set([WIRE.string, WIRE.varString, WIRE.varchar, WIRE.blob])
const WORDS: ReadonlySet<number> = new Set([WIRE.enum, WIRE.set])

const placesOf = (shapes: readonly Shape[], types: ReadonlySet<number>) =>
  shapes.flatMap(({ type }, i) => (types.has(type) ? [i] : []))

function listOf<T>(bytes: Buffer | undefined, read: (bytes: Bytes) => T): T[] {
  const reader = new Bytes(bytes ?? Buffer.alloc(0))
  const list: T[] = []
  while (!reader.isOver) list.push(read(reader))
  return list
}

const numbersOf = (bytes: Buffer | undefined) => listOf(bytes, (one) => one.packed())

function collationsOf(shapes: readonly Shape[], more: ReadonlyMap<number, Buffer>): Map<number, number> {
  return new Map([
    ...collationsAt(placesOf(shapes, TEXTS), more.get(DEFAULT_COLLATION), more.get(COLLATIONS)),
    ...collationsAt(placesOf(shapes, WORDS), more.get(WORDS_DEFAULT_COLLATION), more.get(WORDS_COLLATIONS))
  ])
}

/** Either one for all, with exceptions by their place among them, or one for each. */
function collationsAt(
  places: readonly number[],
  byDefault: Buffer | undefined,
  each: Buffer | undefined
): [number, number][] {
  if (byDefault === undefined) return numbersOf(each).map((collation, n) => [places[n] as number, collation])
  const [usual = BINARY, ...others] = numbersOf(byDefault)
  const exceptions = new Map<number, number>()
  for (let i = 0; i < others.length; i += 2) exceptions.set(others[i] as number, others[i + 1] as number)
  return places.map((place, n) => [place, exceptions.get(n) ?? usual])
}

function unsignedOf(shapes: readonly Shape[], bits: Buffer | undefined): ReadonlySet<number> {
  return new Set(placesOf(shapes, NUMERIC).filter((_, n) => ((bits?.[n >> 3] ?? 0) & (0x80 >> (n & 7))) !== 0))
}

function wordsOf(shapes: readonly Shape[], more: ReadonlyMap<number, Buffer>): Map<number, Buffer[]> {
  const lists = (kind: number) =>
    listOf(more.get(kind), (one) => Array.from({ length: one.packed() }, () => one.take(one.packed())))
  const sets = lists(SET_WORDS)
  const enums = lists(ENUM_WORDS)
  return new Map([
    ...placesOf(shapes, new Set([WIRE.set])).map((place, n) => [place, sets[n] ?? []] as const),
    ...placesOf(shapes, new Set([WIRE.enum])).map((place, n) => [place, enums[n] ?? []] as const)
  ])
}

function keysOf(more: ReadonlyMap<number, Buffer>): number[] {
  const prefixed = listOf(more.get(KEYS_WITH_PREFIX), (one) => [one.packed(), one.packed()] as const)
  return prefixed.length > 0 ? prefixed.map(([place]) => place) : numbersOf(more.get(KEYS))
}
