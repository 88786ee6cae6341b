import type { Json, Logical } from './model.ts'

/** The types that each logical type may stand on. */
const BASES: ReadonlyMap<string, readonly string[]> = new Map([
  ['decimal', ['bytes', 'fixed']],
  ['big-decimal', ['bytes']],
  ['uuid', ['string', 'fixed']],
  ['date', ['int']],
  ['time-millis', ['int']],
  ['time-micros', ['long']],
  ['timestamp-millis', ['long']],
  ['timestamp-micros', ['long']],
  ['timestamp-nanos', ['long']],
  ['local-timestamp-millis', ['long']],
  ['local-timestamp-micros', ['long']],
  ['local-timestamp-nanos', ['long']],
  ['duration', ['fixed']]
])
const UUID_BYTES = 16
const DURATION_BYTES = 12

/** The logical type that the attributes of a type give it. One that does not suit the type is as if it were not there. */
export function logicalOf(kind: string, properties: ReadonlyMap<string, Json>, size?: number): Logical | undefined {
  const name = properties.get('logicalType')
  if (typeof name !== 'string' || !BASES.get(name)?.includes(kind)) return undefined
  if (name === 'decimal') return decimalOf(properties, size)
  if (name === 'uuid' && size !== undefined && size !== UUID_BYTES) return undefined
  if (name === 'duration' && size !== DURATION_BYTES) return undefined
  return { name }
}

/** What of the attributes says the logical type, and is no property beside it. */
export function isLogicalAttribute(logical: Logical | undefined, property: string): boolean {
  if (logical === undefined) return false
  return property === 'logicalType' || (logical.name === 'decimal' && ['precision', 'scale'].includes(property))
}

/** Such as `decimal(10,2)`. */
export function logicalText(logical: Logical): string {
  return logical.precision === undefined ? logical.name : `${logical.name}(${logical.precision},${logical.scale})`
}

/** How many decimal digits any number of so many bytes has. */
function maxPrecision(bytes: number): number {
  return Math.floor(Math.log10(2) * (8 * bytes - 1))
}

function decimalOf(properties: ReadonlyMap<string, Json>, size: number | undefined): Logical | undefined {
  const precision = properties.get('precision')
  const scale = properties.get('scale') ?? 0
  if (!isCount(precision) || !isCount(scale) || precision < 1 || scale > precision) return undefined
  if (size !== undefined && precision > maxPrecision(size)) return undefined
  return { name: 'decimal', precision, scale }
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}
