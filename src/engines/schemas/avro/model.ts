import type { Json, JsonObject } from '../json-text.ts'

export type { Json, JsonObject }

const PRIMITIVES = ['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string'] as const
export type PrimitiveKind = (typeof PRIMITIVES)[number]

interface Annotated {
  /** Attributes that the specification does not define, and those of logical types. */
  readonly properties: ReadonlyMap<string, Json>
  /** Undefined also where the logical type does not fit the type: readers then ignore it. */
  readonly logical?: Logical
}

export interface Logical {
  readonly name: string
  /** `precision` and `scale` are set for decimals only. */
  readonly precision?: number
  readonly scale?: number
}

interface Named extends Annotated {
  /** With its namespace. */
  readonly name: string
  /** With their namespaces. */
  readonly aliases: readonly string[]
  readonly doc?: string
}

export interface PrimitiveType extends Annotated {
  readonly kind: PrimitiveKind
}

interface ArrayType extends Annotated {
  readonly kind: 'array'
  readonly items: AvroType
}

interface MapType extends Annotated {
  readonly kind: 'map'
  readonly values: AvroType
}

export interface UnionType {
  readonly kind: 'union'
  readonly branches: readonly BranchType[]
}

export interface RecordType extends Named {
  readonly kind: 'record'
  /** Records of protocols that stand for errors; the data are the same. */
  readonly isError: boolean
  readonly fields: readonly Field[]
}

export interface Field {
  readonly name: string
  readonly aliases: readonly string[]
  readonly doc?: string
  readonly type: AvroType
  readonly order: 'ascending' | 'descending' | 'ignore'
  /** Undefined where there is none; null is a default. */
  readonly default?: Json
  readonly properties: ReadonlyMap<string, Json>
}

export interface EnumType extends Named {
  readonly kind: 'enum'
  readonly symbols: readonly string[]
  /** What readers take for symbols that they don't know. */
  readonly default?: string
}

export interface FixedType extends Named {
  readonly kind: 'fixed'
  readonly size: number
}

export type NamedType = RecordType | EnumType | FixedType
export type BranchType = PrimitiveType | ArrayType | MapType | NamedType
export type AvroType = BranchType | UnionType

export const NO_PROPERTIES: ReadonlyMap<string, Json> = new Map()

export function isNamed(type: AvroType): type is NamedType {
  return type.kind === 'record' || type.kind === 'enum' || type.kind === 'fixed'
}

/** What unions call it: its name, or its kind. */
export function branchName(type: BranchType): string {
  return isNamed(type) ? type.name : type.kind
}

export function shortName(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf('.') + 1)
}

/**
 * Types that name each other can be walked far deeper than they are written. Whole catalogues of types stay far below
 * this, and the stack stands it.
 */
export const MAX_WALK_DEPTH = 1000

/**
 * Allows letters of any script, and namespaces such as `com.my-company`. The specification forbids both, but the Java
 * library writes them.
 */
const NAME = /^[\p{L}_][\p{L}\p{Nd}_]*$/u
const FULL_NAME = /^(?:[^\s.\p{C}]+\.)*[\p{L}_][\p{L}\p{Nd}_]*$/u
const MAX_SHOWN_CHARS = 100

export const NAME_HELP = 'use letters, digits and underscores, and no digit at the beginning'

export function isName(text: string): boolean {
  return NAME.test(text)
}

export function isFullName(text: string): boolean {
  return FULL_NAME.test(text)
}

export function isPrimitive(name: string): name is (typeof PRIMITIVES)[number] {
  return (PRIMITIVES as readonly string[]).includes(name)
}

/** A name with a dot has its namespace already; any other is in the one around it, which is empty where there is none. */
export function fullNameOf(name: string, namespace: string): string {
  if (name.includes('.')) return name.startsWith('.') ? name.slice(1) : name
  return namespace === '' ? name : `${namespace}.${name}`
}

export function namespaceOf(fullName: string): string {
  return fullName.slice(0, Math.max(fullName.lastIndexOf('.'), 0))
}

/** In quotes, and never longer than a line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text)
}

/** The attributes of an object, without the reserved keys. */
export function propertiesOf(object: JsonObject, reserved: readonly string[]): ReadonlyMap<string, Json> {
  let properties: Map<string, Json> | undefined
  for (const [key, value] of object) {
    if (reserved.includes(key)) continue
    properties ??= new Map()
    properties.set(key, value)
  }
  return properties ?? NO_PROPERTIES
}

export function isJsonObject(json: Json | undefined): json is JsonObject {
  return json instanceof Map
}

/** The same text for the same value: keys are sorted. */
export function jsonText(json: Json): string {
  if (Array.isArray(json)) return `[${json.map(jsonText).join()}]`
  if (isJsonObject(json)) {
    const keys = [...json.keys()].sort()
    return `{${keys.map((key) => `${JSON.stringify(key)}:${jsonText(json.get(key) ?? null)}`).join()}}`
  }
  return typeof json === 'bigint' ? String(json) : JSON.stringify(json)
}

/** As `JSON.parse` would have read it. Long integers become the nearest number. */
export function toPlain(json: Json): unknown {
  if (Array.isArray(json)) return json.map(toPlain)
  if (isJsonObject(json)) return Object.fromEntries([...json].map(([key, value]) => [key, toPlain(value)]))
  return typeof json === 'bigint' ? Number(json) : json
}

export function fromPlain(value: unknown): Json {
  if (Array.isArray(value)) return value.map(fromPlain)
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).map(([key, inner]) => [key, fromPlain(inner)]))
  }
  return value as Json
}

/** For people: as JSON where that is short, or the beginning of it as text. */
export function shown(json: Json | undefined): unknown {
  if (json === undefined) return undefined
  const text = jsonText(json)
  if (text.length > MAX_SHOWN_CHARS) return `${text.slice(0, MAX_SHOWN_CHARS)}…`
  return typeof json === 'bigint' ? text : toPlain(json)
}

/** A token of a JSON pointer. */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

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

/** Whether a property belongs to the logical type, so that it is not compared as a property. */
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
