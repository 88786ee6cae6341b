import { Effort, MAX_DEPTH, SchemaFault } from '../fault.ts'
import type { Converted, FieldShape, Loss, RecordShape, Shape } from '../format.ts'
import {
  type AvroType,
  type BranchType,
  branchName,
  type Field,
  type FixedType,
  fromPlain,
  isNamed,
  isPrimitive,
  type Json,
  type NamedType,
  NO_PROPERTIES,
  namespaceOf,
  type RecordType,
  shortName
} from './model.ts'
import { canonicalText } from './parse.ts'
import { decimalType, isSameShape, plainType, TYPES_BY_FORMAT } from './to-shape.ts'
import { isDefaultOf, isPlainJson } from './values.ts'

/** Far more than any shape takes: shapes are made of schemas and samples, which have limits of their own. */
const MAX_STEPS = 500_000

export function fromShape(shape: Shape): Converted<string> {
  const conversion = new FromShape()
  const type = conversion.type(shape, { path: '', hint: '', namespace: '', depth: 0 })
  return { result: JSON.stringify(JSON.parse(canonicalText(type)), null, 2), lost: conversion.lost }
}

/** Where a shape stands. */
interface Position {
  readonly path: string
  /** The name for a type whose shape has none. */
  readonly hint: string
  readonly namespace: string
  readonly depth: number
}

class FromShape {
  readonly lost: Loss[] = []
  readonly effort = new Effort(MAX_STEPS)
  readonly #named = new Map<string, { readonly shape: Shape; readonly type?: NamedType }>()
  /** The records around, by the names that shapes have for them. */
  readonly #around = new Map<string, RecordType>()

  lose(path: string, message: string): void {
    this.effort.spend()
    this.lost.push({ path, message })
  }

  type(shape: Shape, at: Position): AvroType {
    this.effort.spend()
    if (at.depth > MAX_DEPTH) throw new SchemaFault('too_complex', 'The schema is nested too deep to be converted')
    switch (shape.kind) {
      case 'any':
        this.lose(at.path, 'Avro has no type for any value; it became a string.')
        return plainType('string')
      case 'integer':
        return this.#integer(shape, at)
      case 'number':
        return plainType(shape.bits === 32 ? 'float' : 'double')
      case 'decimal':
        return decimalType(shape.precision, shape.scale)
      case 'string':
        return this.#string(shape, at)
      case 'bytes':
        return shape.size === undefined ? plainType('bytes') : this.#fixed(shape, shape.size, at)
      case 'enum':
        return this.#enum(shape, at)
      case 'list':
        return { kind: 'array', items: this.type(shape.items, inside(at, 'items', 'Item')), properties: NO_PROPERTIES }
      case 'map':
        return {
          kind: 'map',
          values: this.type(shape.values, inside(at, 'values', 'Value')),
          properties: NO_PROPERTIES
        }
      case 'record':
        return this.#record(shape, at)
      case 'union':
        return unionFor(this, shape.options, at)
      case 'recursion':
        return this.#recursion(shape.name, at)
      default:
        return plainType(shape.kind)
    }
  }

  #integer({ bits, signed }: Extract<Shape, { kind: 'integer' }>, { path }: Position): AvroType {
    if (bits === 64 && !signed) this.lose(path, 'Avro has no unsigned integers; numbers from 2^63 on have no place.')
    return plainType(bits === 32 && signed ? 'int' : 'long')
  }

  #string({ format }: Extract<Shape, { kind: 'string' }>, { path }: Position): AvroType {
    const usual = format && TYPES_BY_FORMAT.get(format)
    if (format !== undefined && usual === undefined)
      this.lose(path, `Avro can't say that a string is of format ${format}.`)
    return usual ?? plainType('string')
  }

  #recursion(name: string, { path }: Position): AvroType {
    const found = this.#around.get(name)
    if (found !== undefined) return found
    this.lose(path, `There is no record ${name} further up; it became a string.`)
    return plainType('string')
  }

  #fixed(shape: Shape, size: number, at: Position): AvroType {
    const make = (name: string): FixedType => ({ kind: 'fixed', name, aliases: [], size, properties: NO_PROPERTIES })
    return this.#define(shape, undefined, 'Fixed', at, make)
  }

  #enum(shape: Extract<Shape, { kind: 'enum' }>, at: Position): AvroType {
    return this.#define(shape, shape.name, 'Enum', at, (name) => {
      const symbols = new Set<string>()
      for (const value of shape.values) {
        const symbol = uniqueName(validName(value), symbols, this.effort)
        if (symbol !== value) this.lose(at.path, `The symbol ${JSON.stringify(value)} became ${symbol}.`)
        symbols.add(symbol)
      }
      return { kind: 'enum', name, aliases: [], symbols: [...symbols], properties: NO_PROPERTIES }
    })
  }

  #record(shape: RecordShape, at: Position): AvroType {
    if (shape.open)
      this.lose(at.path, 'Avro has no records with further fields; only those that are named have a place.')
    return this.#define(shape, shape.name, 'Record', at, (name) => {
      const fields: Field[] = []
      const doc = shape.doc === undefined ? {} : { doc: shape.doc }
      const type: RecordType = {
        kind: 'record',
        name,
        aliases: [],
        ...doc,
        isError: false,
        fields,
        properties: NO_PROPERTIES
      }
      const known = shape.name ?? name
      const hidden = this.#around.get(known)
      this.#around.set(known, type)
      const names = new Set<string>()
      for (const field of shape.fields) {
        const made = fieldFor(this, field, names, { ...at, namespace: namespaceOf(name), depth: at.depth + 1 })
        names.add(made.name)
        fields.push(made)
      }
      if (hidden === undefined) this.#around.delete(known)
      else this.#around.set(known, hidden)
      return type
    })
  }

  /** Makes a named type, or finds the one that was made of the same shape before. */
  #define(
    shape: Shape,
    given: string | undefined,
    kind: string,
    at: Position,
    make: (name: string) => NamedType
  ): NamedType {
    const wanted = validFullName(given ?? (capitalised(at.hint) || kind), given === undefined ? at.namespace : '')
    const known = this.#named.get(wanted)
    if (given !== undefined && known !== undefined && isSameShape(known.shape, shape, this.effort)) {
      const type = known.type ?? this.#around.get(given)
      if (type !== undefined) return type
    }
    const name = uniqueName(wanted, this.#named, this.effort)
    if (given !== undefined && name !== given) this.lose(at.path, `The name ${JSON.stringify(given)} became ${name}.`)
    // The name is taken before the inner types are made, so that none of them gets it.
    this.#named.set(name, { shape })
    const type = make(name)
    this.#named.set(name, { shape, type })
    return type
  }
}

function inside(at: Position, token: string, suffix: string): Position {
  return {
    ...at,
    path: `${at.path}/${token}`,
    hint: at.hint === '' ? suffix : `${at.hint}${suffix}`,
    depth: at.depth + 1
  }
}

/** A field of a record. One that values may lack gets a default, which is null where the shape has none. */
function fieldFor(conversion: FromShape, field: FieldShape, taken: Set<string>, at: Position): Field {
  const name = uniqueName(validName(field.name), taken, conversion.effort)
  const path = `${at.path}/fields/${name}`
  if (name !== field.name) conversion.lose(path, `The field ${JSON.stringify(field.name)} became ${name}.`)
  const type = conversion.type(field.shape, { ...at, path: `${path}/type`, hint: name })
  const given = givenDefault(conversion, field, type, path)
  const isNullable = field.optional && given === undefined
  return {
    name,
    aliases: [],
    ...(field.doc !== undefined && { doc: field.doc }),
    type: isNullable || given === null ? nullFirst(type) : type,
    order: 'ascending',
    ...(isNullable ? { default: null } : given !== undefined && { default: given }),
    properties: NO_PROPERTIES
  }
}

function givenDefault(conversion: FromShape, field: FieldShape, type: AvroType, path: string): Json | undefined {
  if (field.default === undefined) return undefined
  const value = fromPlain(field.default)
  const isKept = isDefaultOf(type, value, conversion.effort) && (value === null || isPlainJson(type, conversion.effort))
  if (isKept) return value
  conversion.lose(path, `The default of ${field.name} has no place in Avro.`)
  return undefined
}

/** Puts null first: older readers require that a default is of the first type of a union. */
function nullFirst(type: AvroType): AvroType {
  const branches = type.kind === 'union' ? type.branches : [type]
  const others = branches.filter(({ kind }) => kind !== 'null')
  return others.length === 0 ? type : { kind: 'union', branches: [plainType('null'), ...others] }
}

/** A union has no unions in it, and one type of each kind unless they have names. */
function unionFor(conversion: FromShape, options: readonly Shape[], at: Position): AvroType {
  const branches = new Map<string, BranchType>()
  for (const option of flattened(options)) {
    const type = conversion.type(option, { ...at, path: `${at.path}/${tokenOf(option)}`, depth: at.depth + 1 })
    const made = type.kind === 'union' ? type.branches : [type]
    for (const branch of made) {
      const known = branches.get(branchName(branch))
      if (known === undefined) branches.set(branchName(branch), branch)
      else if (!isNamed(branch) && canonicalText(known) !== canonicalText(branch)) {
        conversion.lose(
          at.path,
          `A union of Avro has one ${branch.kind} only; another that the schema allows has no place.`
        )
      }
    }
  }
  const [only, ...others] = branches.values()
  if (only === undefined) {
    conversion.lose(at.path, 'A union of no types became null.')
    return plainType('null')
  }
  return others.length === 0 ? only : { kind: 'union', branches: [only, ...others] }
}

function flattened(options: readonly Shape[]): Shape[] {
  return options.flatMap((option) => (option.kind === 'union' ? flattened(option.options) : [option]))
}

function tokenOf(shape: Shape): string {
  return 'name' in shape && shape.name !== undefined ? shortName(shape.name) : shape.kind
}

/** The nearest name that Avro allows. */
function validName(text: string): string {
  const name = text.replaceAll(/[^A-Za-z0-9_]/g, '_')
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`
}

/** The nearest full name that Avro allows. A name without a namespace gets the given one. */
function validFullName(text: string, namespace: string): string {
  const name = text.split('.').map(validName).join('.')
  const full = namespace === '' || name.includes('.') ? name : `${namespace}.${name}`
  return isPrimitive(full) ? `${full}_` : full
}

function uniqueName(name: string, taken: { has(name: string): boolean }, effort: Effort): string {
  for (let count = 1; ; count++) {
    effort.spend()
    const candidate = count === 1 ? name : `${name}_${count}`
    if (!taken.has(candidate)) return candidate
  }
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
