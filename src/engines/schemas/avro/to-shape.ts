import { type Effort, SchemaFault } from '../fault.ts'
import type { Converted, FieldShape, Loss, Shape, StringFormat } from '../format.ts'
import {
  type AvroType,
  branchName,
  type Field,
  isLogicalAttribute,
  isNamed,
  type Logical,
  logicalText,
  MAX_WALK_DEPTH,
  NO_PROPERTIES,
  type PrimitiveKind,
  type PrimitiveType,
  type RecordType,
  shortName,
  toPlain
} from './model.ts'
import { isPlainJson } from './values.ts'

const MAX_MESSAGE_CHARS = 300

export function toShape(type: AvroType, effort: Effort): Converted<Shape> {
  const conversion = new ToShape(effort)
  return { result: conversion.type(type, '', 0), lost: conversion.lost }
}

class ToShape {
  readonly lost: Loss[] = []
  readonly #effort: Effort
  readonly #around = new Set<RecordType>()

  constructor(effort: Effort) {
    this.#effort = effort
  }

  type(type: AvroType, path: string, depth: number): Shape {
    this.#effort.spend()
    if (depth > MAX_WALK_DEPTH) throw new SchemaFault('too_complex', 'Types refer to each other in too long a chain')
    if (type.kind === 'union') {
      const token = (name: string) => `${path}/${shortName(name)}`
      return { kind: 'union', options: type.branches.map((one) => this.type(one, token(branchName(one)), depth + 1)) }
    }
    if (type.kind === 'record' && this.#around.has(type)) return { kind: 'recursion', name: type.name }
    this.#loseDetails(type, path)
    const logical = type.logical && logicalShape(type.logical, type.kind)
    if (logical?.loss !== undefined) this.#lose(path, logical.loss)
    if (logical?.shape !== undefined) return logical.shape
    switch (type.kind) {
      case 'array':
        return { kind: 'list', items: this.type(type.items, `${path}/items`, depth + 1) }
      case 'map':
        return { kind: 'map', values: this.type(type.values, `${path}/values`, depth + 1) }
      case 'enum':
        return { kind: 'enum', name: type.name, values: type.symbols }
      case 'fixed':
        this.#lose(path, `the name ${type.name} of the fixed type`)
        return { kind: 'bytes', size: type.size }
      case 'record':
        return this.#record(type, path, depth)
      default:
        return primitiveShape(type.kind)
    }
  }

  #record(type: RecordType, path: string, depth: number): Shape {
    if (type.isError) this.#lose(path, `that ${type.name} is an error`)
    this.#around.add(type)
    const fields = type.fields.map((field) => this.#field(field, `${path}/fields/${field.name}`, depth + 1))
    this.#around.delete(type)
    return { kind: 'record', name: type.name, ...(type.doc !== undefined && { doc: type.doc }), fields }
  }

  #field(field: Field, path: string, depth: number): FieldShape {
    if (field.aliases.length > 0) this.#lose(path, `the aliases of the field ${field.name}`)
    if (field.order !== 'ascending') this.#lose(path, `the sort order of the field ${field.name}`)
    if (field.properties.size > 0) this.#lose(path, `the properties ${[...field.properties.keys()].sort().join(', ')}`)
    return {
      name: field.name,
      ...(field.doc !== undefined && { doc: field.doc }),
      shape: this.type(field.type, `${path}/type`, depth),
      optional: field.default !== undefined,
      ...this.#default(field, path)
    }
  }

  #default(field: Field, path: string): { readonly default?: unknown } {
    if (field.default === undefined) return {}
    if (field.default !== null && !isPlainJson(field.type, this.#effort)) {
      this.#lose(path, `the default of ${field.name}, which is bytes or a time written in Avro's own way`)
      return {}
    }
    return { default: toPlain(field.default) }
  }

  #loseDetails(type: Exclude<AvroType, { kind: 'union' }>, path: string): void {
    const properties = [...type.properties.keys()].filter((name) => !isLogicalAttribute(type.logical, name))
    if (properties.length > 0) this.#lose(path, `the properties ${properties.sort().join(', ')}`)
    if (!isNamed(type)) return
    if (type.aliases.length > 0) this.#lose(path, `the aliases of ${type.name}`)
    if (type.kind !== 'record' && type.doc !== undefined) this.#lose(path, `the documentation of ${type.name}`)
    if (type.kind === 'enum' && type.default !== undefined) this.#lose(path, `the default symbol of ${type.name}`)
  }

  #lose(path: string, message: string): void {
    this.#effort.spend()
    this.lost.push({ path, message: `Not kept: ${message.slice(0, MAX_MESSAGE_CHARS)}.` })
  }
}

/** Whether two shapes say the same. Inside itself a record stands as its name only, so the name is as good as the record. */
export function isSameShape(one: Shape, other: Shape, effort: Effort): boolean {
  effort.spend()
  if (isMention(one, other) || isMention(other, one)) return true
  if (one.kind === 'record' && other.kind === 'record') {
    if (one.name !== other.name || one.doc !== other.doc || one.open !== other.open) return false
    return areAlike(one.fields, other.fields, (a, b) => isSameField(a, b, effort))
  }
  if (one.kind === 'list' && other.kind === 'list') return isSameShape(one.items, other.items, effort)
  if (one.kind === 'map' && other.kind === 'map') return isSameShape(one.values, other.values, effort)
  if (one.kind === 'union' && other.kind === 'union') {
    return areAlike(one.options, other.options, (a, b) => isSameShape(a, b, effort))
  }
  return isFlat(one) && isFlat(other) && JSON.stringify(one) === JSON.stringify(other)
}

function isSameField(one: FieldShape, other: FieldShape, effort: Effort): boolean {
  const [{ shape: inner, ...rest }, { shape: otherInner, ...otherRest }] = [one, other]
  return JSON.stringify(rest) === JSON.stringify(otherRest) && isSameShape(inner, otherInner, effort)
}

function isMention(one: Shape, other: Shape): boolean {
  return one.kind === 'recursion' && other.kind === 'record' && one.name === other.name
}

function isFlat({ kind }: Shape): boolean {
  return !['record', 'list', 'map', 'union'].includes(kind)
}

function areAlike<T>(ones: readonly T[], others: readonly T[], isAlike: (one: T, other: T) => boolean): boolean {
  return ones.length === others.length && ones.every((one, index) => isAlike(one, others[index] as T))
}

function primitiveShape(kind: PrimitiveKind): Shape {
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
function logicalShape(logical: Logical, kind: string): { readonly shape?: Shape; readonly loss?: string } {
  const text = logicalText(logical)
  const isFixed = kind === 'fixed'
  const stored = isFixed ? `that ${text} is stored in a fixed number of bytes` : undefined
  if (logical.precision !== undefined) {
    const shape: Shape = { kind: 'decimal', precision: logical.precision, scale: logical.scale ?? 0 }
    return { shape, ...(stored !== undefined && { loss: stored }) }
  }
  const format = FORMATS.get(logical.name)
  if (format === undefined) return { loss: `the logical type ${text}` }
  const isUsual = TYPES_BY_FORMAT.get(format)?.logical?.name === logical.name
  const loss = isFixed ? stored : isUsual ? undefined : `the unit or zone of ${text}`
  return { shape: { kind: 'string', format }, ...(loss !== undefined && { loss }) }
}

function logicalType(kind: PrimitiveKind, name: string): PrimitiveType {
  return { kind, properties: new Map([['logicalType', name]]), logical: { name } }
}

/** The types of Avro that texts of a format become. */
export const TYPES_BY_FORMAT: ReadonlyMap<StringFormat, PrimitiveType> = new Map([
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
