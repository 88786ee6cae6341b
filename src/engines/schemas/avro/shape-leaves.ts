import type { Shape, StringFormat } from '../shape.ts'
import { logicalText } from './logical.ts'
import { type Logical, NO_PROPERTIES, type PrimitiveKind, type PrimitiveType } from './model.ts'

export function primitiveShape(kind: PrimitiveKind): Shape {
  switch (kind) {
    case 'int':
      return { kind: 'integer', bits: 32, signed: true }
    case 'long':
      return { kind: 'integer', bits: 64, signed: true }
    case 'float':
      return { kind: 'number', bits: 32 }
    case 'double':
      return { kind: 'number', bits: 64 }
    default:
      return { kind }
  }
}

const FORMATS: ReadonlyMap<string, StringFormat> = new Map([
  ['uuid', 'uuid'],
  ['date', 'date'],
  ['time-millis', 'time'],
  ['time-micros', 'time'],
  ['timestamp-millis', 'date-time'],
  ['timestamp-micros', 'date-time'],
  ['timestamp-nanos', 'date-time'],
  ['local-timestamp-millis', 'date-time'],
  ['local-timestamp-micros', 'date-time'],
  ['local-timestamp-nanos', 'date-time']
])

/** What a logical type means to people, and what of it can't be said. */
export function logicalShape(logical: Logical, kind: string): { readonly shape?: Shape; readonly loss?: string } {
  const text = logicalText(logical)
  const isFixed = kind === 'fixed'
  const stored = isFixed ? `that ${text} is stored in a fixed number of bytes` : undefined
  if (logical.precision !== undefined) {
    const shape: Shape = { kind: 'decimal', precision: logical.precision, scale: logical.scale ?? 0 }
    return { shape, ...(stored !== undefined && { loss: stored }) }
  }
  const format = FORMATS.get(logical.name)
  if (format === undefined) return { loss: `the logical type ${text}` }
  const isUsual = USUAL.get(format)?.logical?.name === logical.name
  const loss = isFixed ? stored : isUsual ? undefined : `the unit or zone of ${text}`
  return { shape: { kind: 'string', format }, ...(loss !== undefined && { loss }) }
}

function logicalType(kind: PrimitiveKind, name: string): PrimitiveType {
  return { kind, properties: new Map([['logicalType', name]]), logical: { name } }
}

/** The types of Avro that texts of a format become. */
export const USUAL: ReadonlyMap<StringFormat, PrimitiveType> = new Map([
  ['uuid', logicalType('string', 'uuid')],
  ['date', logicalType('int', 'date')],
  ['time', logicalType('long', 'time-micros')],
  ['date-time', logicalType('long', 'timestamp-micros')]
])

export function decimalType(precision: number, scale: number): PrimitiveType {
  const properties = new Map<string, string | number>([
    ['logicalType', 'decimal'],
    ['precision', precision],
    ['scale', scale]
  ])
  return { kind: 'bytes', properties, logical: { name: 'decimal', precision, scale } }
}

export function plainType(kind: PrimitiveKind): PrimitiveType {
  return { kind, properties: NO_PROPERTIES }
}
