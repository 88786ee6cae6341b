import fc from 'fast-check'
import protobufjs from 'protobufjs'
import { type FieldSpec, MESSAGES, type MessageSpec, type Spec } from './specs.ts'

// Real bytes: what one schema has written with protobufjs is read with the other.

export function encode(text: string, value: object): Uint8Array {
  const type = protobufjs.parse(text, { keepCase: true }).root.lookupType('shop.Root')
  const problem = type.verify(value)
  if (problem !== null) throw new Error(`${problem} in ${JSON.stringify(value)}`)
  return type.encode(type.fromObject(value)).finish()
}

export function decode(text: string, bytes: Uint8Array): Record<string, unknown> {
  const type = protobufjs.parse(text, { keepCase: true }).root.lookupType('shop.Root')
  return type.toObject(type.decode(bytes), { enums: Number, longs: String, bytes: Array })
}

type Value = Readonly<Record<string, unknown>>

/** Values that fit both schemas, as the rules that do not break assume. */
export function valuesFor(before: Spec, after: Spec, name = 'Root', depth = 0): fc.Arbitrary<Value> {
  const message = messageOf(before, name)
  const other = messageOf(after, name)
  const chosen = fc.record(
    Object.fromEntries(oneofsOf(message).map(([oneof, numbers]) => [oneof, fc.constantFrom(...numbers)]))
  )
  return chosen.chain((choice) => {
    const fields = message.fields.filter((field) => {
      const isChosen = field.oneof === undefined || choice[field.oneof] === field.number
      return isChosen && (depth < 2 || !MESSAGES.includes(field.type) || field.label === 'required')
    })
    const required = fields.filter(({ label }) => label === 'required').map((field) => field.name)
    const values = Object.fromEntries(
      fields.map((field) => {
        const same = other.fields.find(({ number }) => number === field.number) ?? field
        return [field.name, fieldValue(before, after, field, same, depth)]
      })
    )
    // Mostly everything is there, since what is not there can't be lost.
    return fc.oneof({ arbitrary: fc.record(values), weight: 3 }, fc.record(values, { requiredKeys: required }))
  })
}

function fieldValue(
  before: Spec,
  after: Spec,
  field: FieldSpec,
  other: FieldSpec,
  depth: number
): fc.Arbitrary<unknown> {
  const value = MESSAGES.includes(field.type)
    ? valuesFor(before, after, field.type, depth + 1)
    : fc.constantFrom(...scalars(field.type, other.type))
  if (field.key !== undefined) {
    const keys = scalars(field.key, other.key ?? field.key).map(String)
    return fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 2, noNullPrototype: true })
  }
  if (field.label !== 'repeated') return value
  return fc.array(value, { minLength: 1, maxLength: other.label === 'repeated' ? 3 : 1 })
}

function scalars(type: string, other: string): readonly unknown[] {
  const both = [type, other]
  if (both.some((name) => name === 'bool' || name === 'Choice'))
    return type === 'bool' ? [true, true, false] : [1, 1, 0]
  if (type === 'string') return ['a', 'münze', 'x'.repeat(200), '']
  if (type === 'bytes') return ['a', 'münze', ''].map((text) => [...Buffer.from(text)])
  if (type === 'float' || type === 'double') return [1.5, -0.5, 1e10, 0]
  const isSigned = both.every((name) => /^(?:s|int)/.test(name))
  const canBeNegative = isSigned && both.every((name) => name === type || name.startsWith('s'))
  return canBeNegative ? [-1, 1, 2_000_000_000, 0] : [1, 300, 2_000_000_000, 0]
}

function messageOf({ messages }: Spec, name: string): MessageSpec {
  return messages.find((message) => message.name === name) as MessageSpec
}

function oneofsOf({ fields }: MessageSpec): [string, number[]][] {
  const found = new Map<string, number[]>()
  for (const { oneof, number } of fields) {
    if (oneof !== undefined) found.set(oneof, [...(found.get(oneof) ?? []), number])
  }
  return [...found]
}

/** The paths of what was written and is not what was read, among the fields that both schemas have. */
export function lossesOf(before: Spec, after: Spec, written: Value, read: Value, name = 'Root', path = ''): string[] {
  const others = messageOf(after, name).fields
  return messageOf(before, name).fields.flatMap((field) => {
    const other = others.find(({ number }) => number === field.number)
    if (other === undefined) return []
    const at = `${path}/${field.number}`
    const [old, now] = [asList(field, written[field.name]), asList(other, read[other.name])]
    if (MESSAGES.includes(field.type)) {
      if (old.length !== now.length) return [`${at} has ${now.length} instead of ${old.length}`]
      return old.flatMap(([key, value], index) => {
        const [otherKey, otherValue] = now[index] ?? []
        if (key !== otherKey) return [`${at} has the key ${otherKey} instead of ${key}`]
        return lossesOf(before, after, value as Value, otherValue as Value, field.type, `${at}[${index}]`)
      })
    }
    const [expected, found] = [old, now].map((list) => JSON.stringify(list.map(([key, value]) => [key, plain(value)])))
    const isDefault = old.every(([, value]) => isZero(value)) && now.every(([, value]) => isZero(value))
    const isSingle = [field, other].some(({ label, key }) => label !== 'repeated' && key === undefined)
    return expected === found || (isSingle && isDefault) ? [] : [`${at} is ${found} instead of ${expected}`]
  })
}

/** A list of what is there, with the keys of maps in order. */
function asList(field: FieldSpec, value: unknown): [string, unknown][] {
  if (value === undefined) return []
  if (field.key === undefined)
    return (field.label === 'repeated' ? (value as unknown[]) : [value]).map((one) => ['', one])
  const entries = Object.entries(value as object).map(([key, one]): [string, unknown] => [plainKey(key), one])
  return entries.sort(([a], [b]) => (a < b ? -1 : 1))
}

function plainKey(key: string): string {
  return key === 'true' ? '1' : key === 'false' ? '0' : key
}

/** Bytes and text, numbers and their text, true and 1 are the same. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return Buffer.from(value).toString('utf8')
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}

function isZero(value: unknown): boolean {
  return plain(value) === '' || plain(value) === '0'
}
