import { type Effort, SchemaFault } from '../fault.ts'
import type { ValueFault } from '../format.ts'
import {
  type AvroType,
  type BranchType,
  branchName,
  isJsonObject,
  isNamed,
  type Json,
  MAX_WALK_DEPTH,
  type NamedType,
  type PrimitiveType,
  pointerToken,
  quoted,
  type RecordType,
  type UnionType
} from './model.ts'

const MAX_FAULTS = 100
const NAMES_OF_FLOATS: readonly unknown[] = ['NaN', 'Infinity', '-Infinity']

/**
 * What is wrong with a value in the JSON encoding of Avro: bytes are strings of characters up to U+00FF, and a value of
 * a union is wrapped, `{"string": "x"}`, or plain where only one type of the union fits.
 */
export function faultsOf(type: AvroType, value: unknown, effort: Effort): ValueFault[] {
  return new ValueCheck(effort).faults(type, value, '', 0).slice(0, MAX_FAULTS)
}

class ValueCheck {
  readonly #effort: Effort

  constructor(effort: Effort) {
    this.#effort = effort
  }

  faults(type: AvroType, value: unknown, pointer: string, depth: number): ValueFault[] {
    this.#effort.spend()
    if (depth > MAX_WALK_DEPTH) throw new SchemaFault('too_complex', 'The value is nested too deep')
    switch (type.kind) {
      case 'union':
        return this.#union(type, value, pointer, depth)
      case 'record':
        return this.#record(type, value, pointer, depth)
      case 'array': {
        if (!Array.isArray(value)) return [fault(pointer, 'must be an array', value)]
        const { items } = type
        return collected(value.entries(), ([index, item]) => this.faults(items, item, `${pointer}/${index}`, depth + 1))
      }
      case 'map': {
        if (!isObject(value)) return [fault(pointer, 'must be an object, as it is a map', value)]
        const inside = (key: string) => `${pointer}/${pointerToken(key)}`
        return collected(Object.entries(value), ([key, one]) => this.faults(type.values, one, inside(key), depth + 1))
      }
      case 'enum':
        this.#effort.spend(type.symbols.length)
        if (typeof value === 'string' && type.symbols.includes(value)) return []
        return [fault(pointer, `must be a symbol of ${type.name}: ${someOf(type.symbols)}`, value)]
      case 'fixed':
        if (typeof value === 'string' && value.length === type.size && isLatin(value)) return []
        return [fault(pointer, `must be a string of ${type.size} characters up to U+00FF, one for each byte`, value)]
      default: {
        const wanted = wantedInstead(type, value)
        return wanted === undefined ? [] : [fault(pointer, wanted, value)]
      }
    }
  }

  #record(type: RecordType, value: unknown, pointer: string, depth: number): ValueFault[] {
    if (!isObject(value)) return [fault(pointer, `must be an object, as it is a record ${type.name}`, value)]
    const known = new Set<string>()
    const faults = collected(type.fields, (field) => {
      known.add(field.name)
      const place = `${pointer}/${field.name}`
      if (Object.hasOwn(value, field.name)) return this.faults(field.type, value[field.name], place, depth + 1)
      return field.default === undefined ? [{ pointer: place, message: 'is missing and has no default' }] : []
    })
    const keys = Object.keys(value)
    this.#effort.spend(keys.length)
    const unknown = keys.filter((key) => !known.has(key)).slice(0, MAX_FAULTS)
    const place = (key: string) => `${pointer}/${pointerToken(key)}`
    return [...faults, ...unknown.map((key) => ({ pointer: place(key), message: `is no field of ${type.name}` }))]
  }

  #union(type: UnionType, value: unknown, pointer: string, depth: number): ValueFault[] {
    const wrapped = wrappedBranch(type, value)
    let faults: ValueFault[] | undefined
    if (wrapped !== undefined) {
      const { branch, inner } = wrapped
      faults = this.faults(branch, inner, `${pointer}/${pointerToken(branchName(branch))}`, depth + 1)
      if (faults.length === 0) return []
    }
    const tried = type.branches.map((branch) => ({ branch, faults: this.faults(branch, value, pointer, depth + 1) }))
    const fitting = tried.filter((one) => one.faults.length === 0).map(({ branch }) => branchName(branch))
    if (fitting.length === 1) return []
    if (fitting.length > 1) {
      const how = `{${quoted(fitting[0] ?? '')}: …}`
      return [{ pointer, message: `fits several types of the union, ${someOf(fitting)}; wrap it, as in ${how}` }]
    }
    if (faults !== undefined) return faults
    // In a union with null, the faults of the other type are the useful ones.
    const meant = tried.filter(({ branch }) => branch.kind !== 'null')
    if (meant.length === 1 && meant[0] !== undefined && meant.length < tried.length) return meant[0].faults
    return [fault(pointer, `must be of one of the types ${someOf(type.branches.map(branchName))}`, value)]
  }
}

function wrappedBranch(type: UnionType, value: unknown): { branch: BranchType; inner: unknown } | undefined {
  if (!isObject(value)) return undefined
  const [key, ...others] = Object.keys(value)
  if (key === undefined || others.length > 0) return undefined
  const branch = type.branches.find((one) => one.kind !== 'null' && branchName(one) === key)
  return branch && { branch, inner: value[key] }
}

/** What the value would have to be; undefined where it is of the type. */
function wantedInstead({ kind }: PrimitiveType, value: unknown): string | undefined {
  switch (kind) {
    case 'null':
      return value === null ? undefined : 'must be null'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'int':
      return isIntegerOf(value, 31) ? undefined : 'must be a whole number from -2147483648 to 2147483647'
    case 'long':
      return isIntegerOf(value, 63) ? undefined : 'must be a whole number of at most 64 bits'
    case 'float':
    case 'double':
      return typeof value === 'number' || NAMES_OF_FLOATS.includes(value) ? undefined : 'must be a number'
    case 'string':
      return typeof value === 'string' ? undefined : 'must be a string'
    case 'bytes':
      return typeof value === 'string' && isLatin(value) ? undefined : 'must be a string of characters up to U+00FF'
  }
}

function isIntegerOf(value: unknown, bits: number): boolean {
  return Number.isInteger(value) && (value as number) >= -(2 ** bits) && (value as number) < 2 ** bits
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function collected<T>(all: Iterable<T>, faultsOf: (one: T) => ValueFault[]): ValueFault[] {
  const faults: ValueFault[] = []
  for (const one of all) {
    if (faults.length >= MAX_FAULTS) break
    faults.push(...faultsOf(one))
  }
  return faults
}

function fault(pointer: string, wanted: string, value: unknown): ValueFault {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : `of type ${typeof value}`
  const found = typeof value === 'number' || typeof value === 'boolean' ? String(value) : kind
  return { pointer, message: `${wanted}, but is ${typeof value === 'string' ? quoted(value) : found}` }
}

function someOf(names: readonly string[]): string {
  return names.length > 10 ? `${names.slice(0, 10).join(', ')}, …` : names.join(', ')
}

const MIN_INT = -(2 ** 31)
const MAX_INT = 2 ** 31 - 1
const MIN_LONG = -(2n ** 63n)
const MAX_LONG = 2n ** 63n - 1n

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
function isLatin(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0xff) return false
  return true
}

/** Whether values of a type are written in JSON as everybody would: no bytes as characters, no times as numbers. */
export function isPlainJson(type: AvroType, effort: Effort, seen = new Set<NamedType>()): boolean {
  effort.spend()
  if (isNamed(type)) {
    if (seen.has(type)) return true
    seen.add(type)
  }
  switch (type.kind) {
    case 'bytes':
    case 'fixed':
      return false
    case 'array':
      return isPlainJson(type.items, effort, seen)
    case 'map':
      return isPlainJson(type.values, effort, seen)
    case 'union':
      return type.branches.every((branch) => isPlainJson(branch, effort, seen))
    case 'record':
      return type.fields.every((field) => isPlainJson(field.type, effort, seen))
    default:
      return type.logical === undefined || type.logical.name === 'uuid'
  }
}
