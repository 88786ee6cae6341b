import snmp, { type Varbind } from 'net-snmp'
import type { ColumnType, StreamValue } from '../index.ts'

/** What a column may be of; an agent does not tell before it is asked. */
export const VALUE_TYPES = ['text', 'integer', 'number'] as const
export type ValueType = (typeof VALUE_TYPES)[number]

export const COLUMN_TYPES: Readonly<Record<ValueType, ColumnType>> = {
  text: 'text',
  integer: 'bigint',
  number: 'double'
}

const { ObjectType } = snmp
const NOTHING: ReadonlySet<unknown> = new Set([
  ObjectType.Null,
  ObjectType.NoSuchObject,
  ObjectType.NoSuchInstance,
  ObjectType.EndOfMibView
])
/** Opaque values that are numbers: a tag, another, and the length of what follows. */
const [OPAQUE_FLOAT, OPAQUE_DOUBLE] = ['9f7804', '9f7908']

/** Whether the agent has nothing by that name. */
export const isNothing = ({ type, value }: Varbind): boolean => NOTHING.has(type) || value === null

export const isEnd = ({ type }: Varbind): boolean => type === ObjectType.EndOfMibView

export const typeName = ({ type }: Varbind): string => String(ObjectType[type] ?? type)

/** The value as a column of this type has it; null for what does not fit. */
export function toValue(varbind: Varbind, type: ValueType): StreamValue {
  if (isNothing(varbind)) return null
  const plain = plainValue(varbind)
  switch (type) {
    case 'text':
      return typeof plain === 'string' ? plain : String(plain)
    case 'integer':
      return toInteger(plain)
    case 'number':
      return toNumber(plain)
  }
}

function toInteger(value: string | number | bigint): bigint | null {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : null
  return /^\s*[+-]?\d{1,18}\s*$/.test(value) ? BigInt(value.trim().replace('+', '')) : null
}

function toNumber(value: string | number | bigint): number | null {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  return typeof value === 'string' && Number.isNaN(number) ? null : number
}

function plainValue({ type, value }: Varbind): string | number | bigint {
  if (typeof value === 'boolean') return Number(value)
  if (!Buffer.isBuffer(value)) return value ?? ''
  if (type === ObjectType.Counter64) return value.length === 0 ? 0n : BigInt(`0x${value.toString('hex')}`)
  if (type === ObjectType.Opaque) return opaqueValue(value)
  return textOf(value)
}

function opaqueValue(bytes: Buffer): string | number {
  const head = bytes.subarray(0, 3).toString('hex')
  if (head === OPAQUE_FLOAT && bytes.length === 7) return bytes.readFloatBE(3)
  if (head === OPAQUE_DOUBLE && bytes.length === 11) return bytes.readDoubleBE(3)
  return hexOf(bytes)
}

/** Texts as they are; what is none, such as the address of a network card, as hexadecimal numbers: `00:1b:44:11:3a:b7`. */
function textOf(bytes: Buffer): string {
  const end = bytes.at(-1) === 0 ? bytes.length - 1 : bytes.length
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end))
    return /^[^\p{Cc}]*$/u.test(text.replace(/[\t\r\n]/g, '')) ? text : hexOf(bytes)
  } catch {
    return hexOf(bytes)
  }
}

const hexOf = (bytes: Buffer) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(':')
