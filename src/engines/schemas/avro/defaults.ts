import type { Effort } from '../effort.ts'
import { SchemaFault } from '../fault.ts'
import { isJsonObject } from './json-values.ts'
import { type AvroType, type Json, MAX_WALK_DEPTH, type RecordType } from './model.ts'

const MIN_INT = -(2 ** 31)
const MAX_INT = 2 ** 31 - 1
const MIN_LONG = -(2n ** 63n)
const MAX_LONG = 2n ** 63n - 1n
/** What floats are called that no JSON number is. */
const NAMES_OF_FLOATS: readonly unknown[] = ['NaN', 'Infinity', '-Infinity']

/** Whether a value can be the default of a field. In a union it is of any branch, as current readers have it. */
export function isDefaultOf(type: AvroType, value: Json | undefined, effort: Effort, depth = 0): boolean {
  effort.spend(type.kind === 'enum' ? type.symbols.length : 1)
  if (depth > MAX_WALK_DEPTH) throw new SchemaFault('too_complex', 'A default value is nested too deep')
  if (value === undefined) return false
  switch (type.kind) {
    case 'null':
      return value === null
    case 'boolean':
      return typeof value === 'boolean'
    case 'int':
      return isIntegral(value) && value >= MIN_INT && value <= MAX_INT
    case 'long':
      return isIntegral(value) && BigInt(value) >= MIN_LONG && BigInt(value) <= MAX_LONG
    case 'float':
    case 'double':
      return typeof value === 'number' || typeof value === 'bigint' || NAMES_OF_FLOATS.includes(value)
    case 'string':
      return typeof value === 'string'
    case 'bytes':
      return typeof value === 'string' && isLatin(value)
    case 'fixed':
      return typeof value === 'string' && value.length === type.size && isLatin(value)
    case 'enum':
      return typeof value === 'string' && type.symbols.includes(value)
    case 'array':
      return Array.isArray(value) && value.every((item) => isDefaultOf(type.items, item, effort, depth + 1))
    case 'map':
      return isJsonObject(value) && [...value.values()].every((one) => isDefaultOf(type.values, one, effort, depth + 1))
    case 'union':
      return type.branches.some((branch) => isDefaultOf(branch, value, effort, depth + 1))
    case 'record':
      return isRecordDefault(type, value, effort, depth)
  }
}

/** A number in quotes is one where a float is wanted: that is how some write what JSON has no number for. */
export function normalDefault(type: AvroType, value: Json): Json {
  if ((type.kind !== 'float' && type.kind !== 'double') || typeof value !== 'string') return value
  const number = Number(value)
  return value.trim() === '' || !Number.isFinite(number) ? value : number
}

function isRecordDefault(type: RecordType, value: Json, effort: Effort, depth: number): boolean {
  if (!isJsonObject(value)) return false
  return type.fields.every((field) => {
    const given = value.get(field.name)
    return isDefaultOf(field.type, given === undefined ? field.default : given, effort, depth + 1)
  })
}

function isIntegral(value: Json): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
}

/** Bytes are written as characters with the codes 0 to 255. */
export function isLatin(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0xff) return false
  return true
}
