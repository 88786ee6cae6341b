import type { ColumnType, StreamValue } from '../index.ts'

export const TABLES = ['coil', 'discrete', 'holding', 'input'] as const
export type Table = (typeof TABLES)[number]

export const REGISTER_TYPES = [
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'float32',
  'float64',
  'bool',
  'text'
] as const
export type RegisterType = (typeof REGISTER_TYPES)[number]

/** How the bytes of a value lie in its registers, as manuals of devices write it. */
export const BYTE_ORDERS = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const
export type ByteOrder = (typeof BYTE_ORDERS)[number]

/** A value of a device: where it is, and how to read it. */
export interface Register {
  readonly name: string
  readonly table: Table
  readonly address: number
  readonly type: RegisterType
  readonly order: ByteOrder
  readonly scale: number
  /** How many registers a text has. */
  readonly length: number
}

const WIDTHS: Readonly<Record<Exclude<RegisterType, 'text'>, number>> = {
  int16: 1,
  uint16: 1,
  int32: 2,
  uint32: 2,
  int64: 4,
  uint64: 4,
  float32: 2,
  float64: 4,
  bool: 1
}

const COLUMN_TYPES: Readonly<Record<RegisterType, ColumnType>> = {
  int16: 'integer',
  uint16: 'integer',
  int32: 'integer',
  uint32: 'bigint',
  int64: 'bigint',
  uint64: 'bigint',
  float32: 'double',
  float64: 'double',
  bool: 'boolean',
  text: 'text'
}

export const isBits = (table: Table): boolean => table === 'coil' || table === 'discrete'

/** How many coils or registers a value takes. */
export const widthOf = ({ table, type, length }: Register): number =>
  isBits(table) ? 1 : type === 'text' ? length : WIDTHS[type]

export function columnTypeOf({ table, type, scale }: Register): ColumnType {
  if (isBits(table)) return 'boolean'
  return isScaled(type, scale) ? 'double' : COLUMN_TYPES[type]
}

/** The value in the bytes of its registers, which come with the first byte of the first register first. */
export function decodeRegister({ type, order, scale }: Register, bytes: Uint8Array): StreamValue {
  if (type === 'text') return decodeText(bytes, order)
  const inOrder = arrange(bytes, order)
  const value = decodeNumber(type, new DataView(inOrder.buffer, inOrder.byteOffset, inOrder.length))
  return isScaled(type, scale) ? toDouble(Number(value), scale) : value
}

const isScaled = (type: RegisterType, scale: number) => scale !== 1 && type !== 'bool' && type !== 'text'

/** Of a factor such as 0.1, which has no exact form, the tenth of a whole number should still be that of school. */
function toDouble(value: number, scale: number): number {
  const inverse = Math.round(1 / scale)
  return inverse > 1 && 1 / inverse === scale ? value / inverse : value * scale
}

function decodeNumber(type: Exclude<RegisterType, 'text'>, view: DataView): StreamValue {
  switch (type) {
    case 'int16':
      return view.getInt16(0)
    case 'uint16':
      return view.getUint16(0)
    case 'int32':
      return view.getInt32(0)
    case 'uint32':
      return BigInt(view.getUint32(0))
    case 'int64':
      return view.getBigInt64(0)
    case 'uint64':
      return view.getBigUint64(0)
    case 'float32':
      return view.getFloat32(0)
    case 'float64':
      return view.getFloat64(0)
    case 'bool':
      return view.getUint16(0) !== 0
  }
}

/** A text ends at its first zero; spaces at its end only fill it up. */
function decodeText(bytes: Uint8Array, order: ByteOrder): string {
  const inOrder = order === 'BADC' || order === 'DCBA' ? swapBytes(bytes) : bytes
  const end = inOrder.indexOf(0)
  return new TextDecoder().decode(end === -1 ? inOrder : inOrder.subarray(0, end)).trimEnd()
}

/** The bytes with the most significant one first. */
function arrange(bytes: Uint8Array, order: ByteOrder): Uint8Array {
  switch (order) {
    case 'ABCD':
      return bytes
    case 'BADC':
      return swapBytes(bytes)
    case 'CDAB':
      return swapBytes(bytes.toReversed())
    case 'DCBA':
      return bytes.toReversed()
  }
}

const swapBytes = (bytes: Uint8Array) => bytes.map((_, at) => bytes[at ^ 1] ?? 0)
