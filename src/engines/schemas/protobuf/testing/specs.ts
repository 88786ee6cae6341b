import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Effort, SchemaFault } from '../../fault.ts'
import type { Dependency, Difference } from '../../format.ts'
import * as protobuf from '../index.ts'
import type { ProtobufModel } from '../model.ts'

// Schemas for property tests: a few messages that refer to each other, and fields of every kind.

export interface Spec {
  readonly messages: readonly MessageSpec[]
  readonly values: readonly number[]
}

export interface MessageSpec {
  readonly name: string
  readonly fields: readonly FieldSpec[]
}

export interface FieldSpec {
  readonly number: number
  readonly name: string
  readonly label: '' | 'optional' | 'required' | 'repeated'
  readonly type: string
  /** Undefined where it is no map. */
  readonly key?: string
  readonly oneof?: string
}

export const MESSAGES = ['Root', 'Part', 'Leaf']
const GROUPS = [
  ['int32', 'int64', 'uint32', 'uint64', 'bool', 'Choice'],
  ['sint32', 'sint64'],
  ['fixed32', 'sfixed32'],
  ['fixed64', 'sfixed64'],
  ['string', 'bytes'],
  ['float'],
  ['double'],
  ['Part'],
  ['Leaf']
]
const KEYS = ['int32', 'int64', 'bool', 'string', 'sint32', 'fixed64']

const type = fc.constantFrom(...GROUPS).chain((group) => fc.constantFrom(...group))

function fieldOf(number: number, syntax: string, types = type): fc.Arbitrary<FieldSpec> {
  const labels =
    syntax === 'proto2' ? (['optional', 'required', 'repeated'] as const) : (['', '', 'optional', 'repeated'] as const)
  return fc
    .record({
      name: fc.constantFrom(`f${number}`, `f${number}`, `g${number}`),
      label: fc.constantFrom(...labels),
      type: types,
      form: fc.constantFrom('plain', 'plain', 'plain', 'map', 'a', 'b'),
      key: fc.constantFrom(...KEYS)
    })
    .map(({ name, label, type: chosen, form, key }) => {
      if (form === 'map') return { number, name, label: '', type: chosen, key }
      if (form === 'plain') return { number, name, label, type: chosen }
      return { number, name, label: '', type: chosen, oneof: form }
    })
}

type FieldPair = readonly [before: FieldSpec | undefined, after: FieldSpec | undefined]

/** A field before and after a change. */
function changeOf(number: number, syntax: string): fc.Arbitrary<FieldPair> {
  const any = fieldOf(number, syntax)
  const retyped = any.chain((before) => {
    const group = GROUPS.find((names) => names.includes(before.type)) ?? []
    return fc.constantFrom(...group).map((other) => [before, { ...before, type: other, name: `h${number}` }] as const)
  })
  const replaced = fc.tuple(any, type).map(([before, other]) => [before, { ...before, type: other }] as const)
  const moved = fc.tuple(any, any).map(([before, after]) => [before, { ...after, type: before.type }] as const)
  const alone = any.chain((field) => fc.constantFrom<FieldPair>([field, undefined], [undefined, field]))
  return fc.oneof(moved, retyped, replaced, alone, fc.tuple(any, any))
}

interface Pair {
  readonly syntax: 'proto2' | 'proto3'
  readonly before: Spec
  readonly after: Spec
}

const NUMBERS = [1, 2, 16]

/** Schemas that are the same but for a change or two, in the first message or in one that it holds. */
export const pairs: fc.Arbitrary<Pair> = fc.constantFrom('proto2' as const, 'proto3' as const).chain((syntax) => {
  const same = (number: number) => fieldOf(number, syntax).map((field): FieldPair => [field, field])
  const place = fc.tuple(fc.constantFrom(0, 0, 0, 1, 2), fc.constantFrom(...NUMBERS))
  return fc.uniqueArray(place, { minLength: 0, maxLength: 2, selector: String }).chain((places) => {
    const slots = MESSAGES.map((_, message) =>
      fc.tuple(
        ...NUMBERS.map((number) => {
          const isChanged = places.some(([at, changed]) => at === message && changed === number)
          return isChanged ? changeOf(number, syntax) : same(number)
        })
      )
    )
    const values = fc.uniqueArray(fc.integer({ min: 2, max: 5 }), { maxLength: 3 }).map((more) => [0, 1, ...more])
    const parts = fc.tuple(fc.tuple(...slots), values, fc.oneof(fc.constant(undefined), values), fc.nat(5))
    return parts.map(([made, old, now, dice]) => {
      const side = (index: 0 | 1): FieldSpec[][] =>
        made.map((message, at) => message.flatMap((pair) => fitting(pair[index], MESSAGES[at] ?? '')))
      const after = dice === 0 ? side(1).map((fields) => fields.map(gathered)) : side(1)
      return { syntax, before: specOf(side(0), old), after: specOf(after, now ?? old) }
    })
  })
})

/** All fields that can be become one choice. */
function gathered(field: FieldSpec): FieldSpec {
  return field.key === undefined && field.label !== 'repeated' ? { ...field, label: '', oneof: 'a' } : field
}

function specOf(fields: readonly FieldSpec[][], values: readonly number[]): Spec {
  return { messages: MESSAGES.map((name, at) => ({ name, fields: fields[at] ?? [] })), values }
}

/** Only `Root` may require messages, since a message that requires itself has no values. */
function fitting(field: FieldSpec | undefined, message: string): FieldSpec[] {
  if (field === undefined) return []
  const isLoop = MESSAGES.includes(field.type) && message !== 'Root' && field.label === 'required'
  return [isLoop ? { ...field, label: 'optional' } : field]
}

export function textOf({ messages, values }: Spec, syntax: string): string {
  const enumeration = `enum Choice { ${values.map((number) => `C${number} = ${number};`).join(' ')} }`
  const bodies = messages.map(({ name, fields }) => {
    const alone = fields.filter(({ oneof }) => oneof === undefined).map(lineOf)
    const choices = [...new Set(fields.flatMap(({ oneof }) => oneof ?? []))].map((oneof) => {
      return `oneof ${oneof} { ${fields
        .filter((field) => field.oneof === oneof)
        .map(lineOf)
        .join(' ')} }`
    })
    return `message ${name} {\n  ${[...alone, ...choices].join('\n  ')}\n}`
  })
  return [`syntax = "${syntax}";`, 'package shop;', ...bodies, enumeration].join('\n')
}

function lineOf({ label, type, key, name, number }: FieldSpec): string {
  return `${label} ${key === undefined ? type : `map<${key}, ${type}>`} ${name} = ${number};`
}

const STEPS = 1_000_000
export const WHO = { writer: 'version 1', reader: 'version 2' }

export function parseText(text: string, dependencies: Readonly<Record<string, string>> = {}) {
  const list = Object.entries(dependencies).map(([name, content]): Dependency => ({ name, text: content }))
  return protobuf.parse({ text, dependencies: list }, new Effort(STEPS))
}

export function modelOf(text: string, dependencies: Readonly<Record<string, string>> = {}): ProtobufModel {
  return parseText(text, dependencies).model
}

export function compare(written: ProtobufModel, read: ProtobufModel): Difference[] {
  return protobuf.differences(written, read, new Effort(STEPS))
}

export function breaks(found: readonly Difference[]): boolean {
  return found.some(({ rule }) => rule.breaks)
}

/** `path code`, without what all codes begin with. */
export function brief(found: readonly Difference[]): string[] {
  return found.map(({ path, rule }) => `${path} ${rule.code.slice('protobuf.'.length)}`).sort()
}

/** What is wrong with a text, as `line:column message`. */
export function faultOf(text: string, dependencies: Readonly<Record<string, string>> = {}): SchemaFault {
  try {
    parseText(text, dependencies)
  } catch (error) {
    assert.ok(error instanceof SchemaFault, `not a fault of the schema: ${error}`)
    return error
  }
  return assert.fail(`no fault in: ${text.slice(0, 200)}`)
}
