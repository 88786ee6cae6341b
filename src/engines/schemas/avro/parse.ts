import { type Effort, MAX_TEXT_CHARS } from '../effort.ts'
import { SchemaFault } from '../fault.ts'
import type { Parsed, Source } from '../format.ts'
import { readJson } from '../json-text.ts'
import { canonicalText } from './canonical.ts'
import {
  type AvroType,
  fullNameOf,
  isFullName,
  isNamed,
  isPrimitive,
  type Json,
  type JsonObject,
  type Logical,
  NAME_HELP,
  type NamedType,
  quoted,
  shown
} from './model.ts'
import { parseType } from './parse-types.ts'
import { isDefaultOf } from './values.ts'

export function parse(source: Source, effort: Effort): Parsed<AvroType> {
  const chars = source.dependencies.reduce((sum, { text }) => sum + text.length, source.text.length)
  if (chars > MAX_TEXT_CHARS) {
    throw new SchemaFault('too_complex', `The schema has more than ${MAX_TEXT_CHARS} characters with its references`)
  }
  const types = new Map<string, NamedType>()
  for (const { name, text } of source.dependencies) parseText(text, types, effort, name)
  const known = new Set(types.values())
  const model = parseText(source.text, types, effort)
  return {
    model,
    get canonical() {
      return canonicalText(model, known)
    }
  }
}

function parseText(text: string, types: Map<string, NamedType>, effort: Effort, dependency?: string): AvroType {
  const context = new ParseContext(effort, types, dependency)
  const type = parseType(context, readJson(text, effort, dependency), { pointer: '', namespace: '', depth: 0 })
  for (const { field, type: of, value, pointer } of context.defaults) {
    if (isDefaultOf(of, value, effort)) continue
    const what = of.kind === 'union' ? 'of no type of its union' : `no ${isNamed(of) ? quoted(of.name) : of.kind}`
    throw context.fault(
      `The default ${JSON.stringify(shown(value))} of the field ${quoted(field)} is ${what}; change the default or the type`,
      pointer
    )
  }
  return type
}

/** Where in a text something stands, and what is around it. */
export interface Spot {
  readonly pointer: string
  /** That of the names around it; empty for none. */
  readonly namespace: string
  readonly depth: number
}

/** What is known while a text is read. */
export class ParseContext {
  readonly effort: Effort
  /** By full name; those of dependencies too. */
  readonly types: Map<string, NamedType>
  /** Looked at when all types are complete, since defaults can be of types that are being read. */
  readonly defaults: {
    readonly field: string
    readonly type: AvroType
    readonly value: Json
    readonly pointer: string
  }[] = []
  readonly #dependency: string | undefined

  constructor(effort: Effort, types: Map<string, NamedType>, dependency: string | undefined) {
    this.effort = effort
    this.types = types
    this.#dependency = dependency
  }

  fault(message: string, pointer: string): SchemaFault {
    return new SchemaFault('invalid', message, { pointer, dependency: this.#dependency })
  }

  tooDeep(pointer: string): SchemaFault {
    const message = 'The schema is nested too deep; name inner types and refer to them'
    return new SchemaFault('too_complex', message, { pointer, dependency: this.#dependency })
  }

  define(type: NamedType, pointer: string): void {
    if (isPrimitive(type.name)) {
      throw this.fault(`${quoted(type.name)} is a type of Avro itself; choose another name or add a namespace`, pointer)
    }
    if (this.types.has(type.name)) {
      throw this.fault(`${quoted(type.name)} is defined twice; rename one, or refer to the first by its name`, pointer)
    }
    this.types.set(type.name, type)
  }

  find(name: string, { pointer, namespace }: Spot): NamedType {
    const full = fullNameOf(name, namespace)
    if (!isFullName(full)) throw this.fault(`${quoted(name)} is no name of a type; ${NAME_HELP}`, pointer)
    const found = this.types.get(full) ?? this.types.get(name)
    if (found !== undefined) return found
    throw new SchemaFault(
      'missing_reference',
      `There is no type ${quoted(full)}; define it before it is used, or add a reference to the schema that does`,
      { pointer, dependency: this.#dependency }
    )
  }

  /** A string, or undefined where the key is not there. */
  text(object: JsonObject, key: string, pointer: string): string | undefined {
    const value = object.get(key)
    if (value === undefined || typeof value === 'string') return value
    throw this.fault(`${quoted(key)} must be a string`, `${pointer}/${key}`)
  }

  texts(object: JsonObject, key: string, pointer: string): readonly string[] {
    const value = object.get(key) ?? []
    if (!Array.isArray(value)) throw this.fault(`${quoted(key)} must be an array of strings`, `${pointer}/${key}`)
    this.effort.spend(value.length)
    const wrong = value.findIndex((text) => typeof text !== 'string')
    if (wrong !== -1) throw this.fault(`${quoted(key)} must hold strings only`, `${pointer}/${key}/${wrong}`)
    return value
  }
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
