import { type Effort, MAX_TEXT_CHARS, SchemaFault } from '../fault.ts'
import type { Parsed, Source } from '../format.ts'
import { readJson } from '../json-text.ts'
import {
  type AvroType,
  type EnumType,
  type Field,
  type FixedType,
  fullNameOf,
  isFullName,
  isNamed,
  isPrimitive,
  type Json,
  type JsonObject,
  jsonText,
  type Logical,
  NAME_HELP,
  type NamedType,
  quoted,
  type RecordType,
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

/**
 * The schema as JSON with everything that has a meaning to somebody, each in one way only: names are full names, and a
 * type is defined where it first comes up. `known` are the types that are not defined in the text.
 */
export function canonicalText(type: AvroType, known: Iterable<NamedType> = []): string {
  return new Canonical(known).type(type)
}

class Canonical {
  readonly #known: Set<NamedType>

  constructor(known: Iterable<NamedType>) {
    this.#known = new Set(known)
  }

  type(type: AvroType): string {
    switch (type.kind) {
      case 'union':
        return `[${type.branches.map((branch) => this.type(branch)).join()}]`
      case 'array':
        return `{"type":"array","items":${this.type(type.items)}${properties(type.properties)}}`
      case 'map':
        return `{"type":"map","values":${this.type(type.values)}${properties(type.properties)}}`
      case 'record':
      case 'enum':
      case 'fixed':
        return this.#named(type)
      default:
        return type.properties.size === 0 ? `"${type.kind}"` : `{"type":"${type.kind}"${properties(type.properties)}}`
    }
  }

  #named(type: NamedType): string {
    if (this.#known.has(type)) return `"${type.name}"`
    this.#known.add(type)
    const kind = type.kind === 'record' && type.isError ? 'error' : type.kind
    const names = `"type":"${kind}","name":"${type.name}"${doc(type)}${aliases(type)}`
    return `{${names}${this.#content(type)}${properties(type.properties)}}`
  }

  #content(type: RecordType | EnumType | FixedType): string {
    if (type.kind === 'record') return `,"fields":[${type.fields.map((field) => this.#field(field)).join()}]`
    if (type.kind === 'fixed') return `,"size":${type.size}`
    const byDefault = type.default === undefined ? '' : `,"default":"${type.default}"`
    return `,"symbols":${JSON.stringify(type.symbols)}${byDefault}`
  }

  #field(field: Field): string {
    const byDefault = field.default === undefined ? '' : `,"default":${jsonText(field.default)}`
    const order = field.order === 'ascending' ? '' : `,"order":"${field.order}"`
    const type = this.type(field.type)
    return `{"name":"${field.name}"${doc(field)}${aliases(field)},"type":${type}${byDefault}${order}${properties(field.properties)}}`
  }
}

function doc(of: { readonly doc?: string }): string {
  return of.doc === undefined ? '' : `,"doc":${JSON.stringify(of.doc)}`
}

function aliases(of: { readonly aliases: readonly string[] }): string {
  return of.aliases.length === 0 ? '' : `,"aliases":${JSON.stringify(of.aliases)}`
}

function properties(of: ReadonlyMap<string, Json>): string {
  if (of.size === 0) return ''
  const keys = [...of.keys()].sort()
  return keys.map((key) => `,${JSON.stringify(key)}:${jsonText(of.get(key) ?? null)}`).join('')
}
