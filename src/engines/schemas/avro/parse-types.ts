import { MAX_DEPTH } from '../fault.ts'
import {
  type AvroType,
  type BranchType,
  branchName,
  type EnumType,
  type Field,
  type FixedType,
  fullNameOf,
  isFullName,
  isJsonObject,
  isName,
  isPrimitive,
  type Json,
  type JsonObject,
  logicalOf,
  NAME_HELP,
  NO_PROPERTIES,
  namespaceOf,
  type PrimitiveKind,
  type PrimitiveType,
  propertiesOf,
  quoted,
  type RecordType,
  type UnionType
} from './model.ts'
import type { ParseContext, Spot } from './parse-context.ts'
import { normalDefault } from './values.ts'

const BARE = new Map<string, PrimitiveType>()

/** Parses a type: a name, an object or, for a union, an array. */
export function parseType(context: ParseContext, json: Json, spot: Spot): AvroType {
  context.effort.spend()
  if (spot.depth > MAX_DEPTH) throw context.tooDeep(spot.pointer)
  if (typeof json === 'string') return isPrimitive(json) ? bare(json) : context.find(json, spot)
  if (Array.isArray(json)) return parseUnion(context, json, spot)
  if (isJsonObject(json)) return parseObject(context, json, spot)
  throw context.fault('A type must be a name, an object or an array of types', spot.pointer)
}

function parseObject(context: ParseContext, object: JsonObject, spot: Spot): AvroType {
  const type = object.get('type')
  switch (type) {
    case 'record':
    case 'error':
      return parseRecord(context, object, spot)
    case 'enum':
      return parseEnum(context, object, spot)
    case 'fixed':
      return parseFixed(context, object, spot)
    case 'array': {
      const [items, properties] = [parseInner(context, object, 'items', spot), propertiesOf(object, ['type', 'items'])]
      return { kind: 'array', items, properties }
    }
    case 'map': {
      const [values, properties] = [
        parseInner(context, object, 'values', spot),
        propertiesOf(object, ['type', 'values'])
      ]
      return { kind: 'map', values, properties }
    }
  }
  if (type === undefined) throw context.fault('"type" is missing; say which type it is', spot.pointer)
  if (typeof type !== 'string') {
    throw context.fault(
      '"type" must be the name of a type here; put what it holds in place of the object',
      spot.pointer
    )
  }
  return isPrimitive(type) ? parsePrimitive(type, object) : context.find(type, spot)
}

function parsePrimitive(kind: PrimitiveKind, object: JsonObject): AvroType {
  if (object.size === 1) return bare(kind)
  const properties = propertiesOf(object, ['type'])
  const logical = logicalOf(kind, properties)
  return { kind, properties, ...(logical !== undefined && { logical }) }
}

function parseInner(context: ParseContext, object: JsonObject, key: 'items' | 'values', spot: Spot): AvroType {
  const json = object.get(key)
  if (json === undefined) {
    const what = key === 'items' ? 'An array needs "items": the type of its items' : 'A map needs "values": their type'
    throw context.fault(what, spot.pointer)
  }
  return parseType(context, json, { ...spot, pointer: `${spot.pointer}/${key}`, depth: spot.depth + 1 })
}

function parseUnion(context: ParseContext, array: readonly Json[], spot: Spot): UnionType {
  const branches: BranchType[] = []
  const names = new Set<string>()
  for (const [index, json] of array.entries()) {
    const pointer = `${spot.pointer}/${index}`
    const branch = parseType(context, json, { ...spot, pointer, depth: spot.depth + 1 })
    if (branch.kind === 'union')
      throw context.fault('A union must not hold a union; put its types into this one', pointer)
    const name = branchName(branch)
    if (names.has(name)) {
      throw context.fault(`${quoted(name)} is twice in the union; only types with names of their own can be`, pointer)
    }
    names.add(name)
    branches.push(branch)
  }
  return { kind: 'union', branches }
}

/** A primitive type without attributes. There is one object for each kind. */
function bare(kind: PrimitiveKind): PrimitiveType {
  const known = BARE.get(kind)
  if (known !== undefined) return known
  const made: PrimitiveType = { kind, properties: NO_PROPERTIES }
  BARE.set(kind, made)
  return made
}

const MAX_FIXED_SIZE = 2 ** 31 - 1

/** Parses the name, aliases and documentation of a record, an enum or a fixed type. */
function parseNames(context: ParseContext, object: JsonObject, spot: Spot) {
  const { pointer } = spot
  const given = context.text(object, 'name', pointer)
  if (given === undefined) throw context.fault(`A type of kind ${object.get('type')} needs a "name"`, pointer)
  const namespace = context.text(object, 'namespace', pointer)
  const name = fullNameOf(given, namespace ?? spot.namespace)
  if (given === '' || !isFullName(name)) {
    const culprit = isFullName(given) ? 'namespace' : 'name'
    const text = culprit === 'name' ? given : (namespace ?? spot.namespace)
    throw context.fault(`The ${culprit} ${quoted(text)} is not valid; ${NAME_HELP}`, `${pointer}/${culprit}`)
  }
  const doc = context.text(object, 'doc', pointer)
  const aliases = context.texts(object, 'aliases', pointer).map((alias, index) => {
    const full = fullNameOf(alias, namespaceOf(name))
    if (alias !== '' && isFullName(full)) return full
    throw context.fault(`The alias ${quoted(alias)} is not valid; ${NAME_HELP}`, `${pointer}/aliases/${index}`)
  })
  return { name, aliases: [...new Set(aliases)].sort(), ...(doc !== undefined && { doc }) }
}

function parseEnum(context: ParseContext, object: JsonObject, spot: Spot): EnumType {
  const { pointer } = spot
  const names = parseNames(context, object, spot)
  if (!object.has('symbols')) throw context.fault('An enum needs "symbols": an array of strings', pointer)
  const symbols = context.texts(object, 'symbols', pointer)
  const seen = new Set<string>()
  for (const [index, symbol] of symbols.entries()) {
    const place = `${pointer}/symbols/${index}`
    if (!isName(symbol)) throw context.fault(`The symbol ${quoted(symbol)} is not valid; ${NAME_HELP}`, place)
    if (seen.has(symbol)) throw context.fault(`The symbol ${quoted(symbol)} is there twice; remove one`, place)
    seen.add(symbol)
  }
  const byDefault = context.text(object, 'default', pointer)
  if (byDefault !== undefined && !seen.has(byDefault)) {
    throw context.fault(
      `The default ${quoted(byDefault)} is none of the symbols; add it or choose one`,
      `${pointer}/default`
    )
  }
  const properties = propertiesOf(object, ['type', 'name', 'namespace', 'doc', 'aliases', 'symbols', 'default'])
  const type: EnumType = {
    kind: 'enum',
    ...names,
    symbols,
    properties,
    ...(byDefault !== undefined && { default: byDefault })
  }
  context.define(type, pointer)
  return type
}

function parseFixed(context: ParseContext, object: JsonObject, spot: Spot): FixedType {
  const { pointer } = spot
  const names = parseNames(context, object, spot)
  const size = object.get('size')
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 0 || size > MAX_FIXED_SIZE) {
    const place = size === undefined ? pointer : `${pointer}/size`
    throw context.fault('A fixed type needs "size": a whole number of bytes, 0 or more', place)
  }
  const properties = propertiesOf(object, ['type', 'name', 'namespace', 'doc', 'aliases', 'size'])
  const logical = logicalOf('fixed', properties, size)
  const type: FixedType = { kind: 'fixed', ...names, size, properties, ...(logical !== undefined && { logical }) }
  context.define(type, pointer)
  return type
}

const ORDERS = ['ascending', 'descending', 'ignore'] as const

function parseRecord(context: ParseContext, object: JsonObject, spot: Spot): RecordType {
  const { pointer } = spot
  const names = parseNames(context, object, spot)
  const isError = object.get('type') === 'error'
  const properties = propertiesOf(object, ['type', 'name', 'namespace', 'doc', 'aliases', 'fields'])
  const fields: Field[] = []
  const type: RecordType = { kind: 'record', ...names, isError, fields, properties }
  // Before its fields are read, since they may refer to it.
  context.define(type, pointer)
  const given = object.get('fields')
  if (!Array.isArray(given)) throw context.fault('A record needs "fields": an array of its fields', pointer)
  const seen = new Set<string>()
  for (const [index, json] of given.entries()) {
    const place = { pointer: `${pointer}/fields/${index}`, namespace: namespaceOf(type.name), depth: spot.depth + 1 }
    const field = parseField(context, json, place)
    if (seen.has(field.name)) {
      throw context.fault(`The field ${quoted(field.name)} is there twice; rename or remove one`, place.pointer)
    }
    seen.add(field.name)
    fields.push(field)
  }
  return type
}

function parseField(context: ParseContext, json: Json, spot: Spot): Field {
  const { pointer } = spot
  context.effort.spend()
  if (!isJsonObject(json)) throw context.fault('A field must be an object with "name" and "type"', pointer)
  const name = context.text(json, 'name', pointer)
  if (name === undefined) throw context.fault('A field needs a "name"', pointer)
  if (!isName(name)) {
    throw context.fault(`The name of the field ${quoted(name)} is not valid; ${NAME_HELP}`, `${pointer}/name`)
  }
  const typeJson = json.get('type')
  if (typeJson === undefined) throw context.fault(`The field ${quoted(name)} needs a "type"`, pointer)
  const type = parseType(context, typeJson, { ...spot, pointer: `${pointer}/type` })
  const doc = context.text(json, 'doc', pointer)
  return {
    name,
    aliases: [...new Set(context.texts(json, 'aliases', pointer))].sort(),
    ...(doc !== undefined && { doc }),
    type,
    order: parseOrder(context, json, pointer),
    ...parseDefault(context, json, name, type, pointer),
    properties: propertiesOf(json, ['name', 'type', 'doc', 'aliases', 'order', 'default'])
  }
}

function parseOrder(context: ParseContext, json: JsonObject, pointer: string): Field['order'] {
  const given = context.text(json, 'order', pointer)?.toLowerCase() ?? 'ascending'
  const order = ORDERS.find((known) => known === given)
  if (order === undefined) throw context.fault('"order" must be ascending, descending or ignore', `${pointer}/order`)
  return order
}

function parseDefault(context: ParseContext, json: JsonObject, field: string, type: AvroType, pointer: string) {
  const given = json.get('default')
  if (given === undefined) return {}
  const value = normalDefault(type, given)
  context.defaults.push({ field, type, value, pointer: `${pointer}/default` })
  return { default: value }
}
