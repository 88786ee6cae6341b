import { MAX_DEPTH } from '../effort.ts'
import { isJsonObject } from './json-values.ts'
import { logicalOf } from './logical.ts'
import {
  type AvroType,
  type BranchType,
  branchName,
  type Json,
  type JsonObject,
  NO_PROPERTIES,
  type PrimitiveKind,
  type PrimitiveType,
  type UnionType
} from './model.ts'
import { isPrimitive, quoted } from './names.ts'
import type { ParseContext, Spot } from './parse-context.ts'
import { parseEnum, parseFixed } from './parse-named.ts'
import { parseRecord } from './parse-record.ts'
import { propertiesOf } from './properties.ts'

const BARE = new Map<string, PrimitiveType>()

/** A type wherever one may stand: the name of one, an object or, for a union, an array. */
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
      return parseRecord(context, object, spot, parseType)
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

/** The type without anything further; there is only one of each. */
function bare(kind: PrimitiveKind): PrimitiveType {
  const known = BARE.get(kind)
  if (known !== undefined) return known
  const made: PrimitiveType = { kind, properties: NO_PROPERTIES }
  BARE.set(kind, made)
  return made
}
