import assert from 'node:assert/strict'
import fc from 'fast-check'
import protobufjs from 'protobufjs'
import protojson from 'protobufjs/ext/protojson.js'
import { Effort, SchemaFault } from '../../fault.ts'
import type { Converted, Difference, FieldShape, Shape, ValueFault } from '../../format.ts'
import * as protobuf from '../index.ts'
import type { ProtobufModel } from '../model.ts'
import { breaks, compare, modelOf, pairs, parseText, textOf, WHO } from './specs.ts'
import { decode, encode, lossesOf, valuesFor } from './wire.ts'

// Properties that run a few times with every `npm test`, and many times among the long suites.

export function checkBothSides(numRuns: number): void {
  const property = fc.property(pairs, ({ before, after, syntax }) => {
    const [old, now] = [modelOf(textOf(before, syntax)), modelOf(textOf(after, syntax))]
    const [there, back] = [compare(old, now), compare(now, old)]
    const paths = (found: readonly Difference[]) => [...new Set(found.map(({ path }) => path))].sort()
    assert.deepEqual(paths(there), paths(back))
    for (const difference of [...there, ...back]) {
      const said = difference.rule.message(difference, WHO)
      assert.match(said, /^[A-Z].*\.$/)
      assert.doesNotMatch(said, /undefined|\[object/)
    }
  })
  fc.assert(property, { numRuns })
}

export function checkCanonical(numRuns: number): void {
  const property = fc.property(pairs, ({ before, after, syntax }) => {
    const [old, now] = [parseText(textOf(before, syntax)), parseText(textOf(after, syntax))]
    assert.equal(parseText(old.canonical).canonical, old.canonical)
    assert.equal(compare(old.model, now.model).length === 0, old.canonical === now.canonical)
  })
  fc.assert(property, { numRuns })
}

/** Whether values fit is what protobufjs says too. */
export function checkVerdicts(numRuns: number): void {
  protojson.install()
  const property = fc.property(pairs, fc.nat(1000), ({ before, after, syntax }, seed) => {
    // It does not mind when something required is missing.
    const [old, now] = [before, after].map((spec) => textOf(spec, syntax).replaceAll('required', 'optional')) as [
      string,
      string
    ]
    const [model, other] = [modelOf(old), modelOf(now)]
    assert.deepEqual(faultsIn(model, exampleOf(model, seed)), [])
    // A value of one schema for the other: mostly nearly right.
    const value = exampleOf(other, seed)
    const type = protobufjs.parse(old, { keepCase: true }).root.lookupType('shop.Root')
    assert.equal(isTaken(type, value), faultsIn(model, value).length === 0, `${old}\n${JSON.stringify(value)}`)
  })
  fc.assert(property, { numRuns })
}

function isTaken(type: protobufjs.Type, value: unknown): boolean {
  try {
    return type.verify(type.fromJson(structuredClone(value))) === null
  } catch {
    return false
  }
}

const WORDS =
  'message enum oneof map < > { } [ ] ( ) ; = , . 1 0x - "a" M a string optional repeated reserved to max import extend extensions group option syntax "proto3" edition "2023" service rpc \\ \u0000 😀 /* // \''.split(
    ' '
  )
const RIGHT = `syntax = "proto3"; package a; message M { optional int32 a = 1 [deprecated = true]; oneof c { M b = 2; }
  map<string, E> d = 3; reserved 5 to 7; } enum E { A = 0; }`

/** Whatever the text, there is a schema or a fault. */
export function checkAnyText(numRuns: number): void {
  const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 40 }).map((parts) => parts.join(' '))
  const damage = fc.tuple(fc.nat(RIGHT.length), fc.nat(20), fc.constantFrom(...WORDS))
  const damaged = damage.map(([at, length, word]) => RIGHT.slice(0, at) + word + RIGHT.slice(at + length))
  const property = fc.property(fc.oneof(words, damaged, fc.string(), fc.base64String()), (text) => {
    try {
      parseText(text)
    } catch (error) {
      assert.ok(error instanceof SchemaFault, `${error}`)
    }
  })
  fc.assert(property, { numRuns })
}

const STEPS = 100_000
export const INT: Shape = { kind: 'integer', bits: 32, signed: true }

export function shapeOf(text: string): Converted<Shape> {
  return protobuf.toShape(modelOf(text), new Effort(STEPS))
}

export function checkThereAndBack(numRuns: number): void {
  const property = fc.property(pairs, ({ before, syntax }) => {
    const { result } = shapeOf(textOf(before, syntax))
    const back = protobuf.fromShape(result).result
    assert.deepEqual(normal(shapeOf(back).result), normal(result), back)
  })
  fc.assert(property, { numRuns })
}

/** Without what proto3 can't say: where names stand, defaults, that a message is required, enums without a zero. */
function normal(shape: Shape): unknown {
  const loosened = JSON.stringify(shape, (_, value) => {
    const isMessage = value?.shape?.kind === 'record' || value?.shape?.kind === 'recursion'
    return isMessage ? { ...value, optional: true } : value
  })
  return JSON.parse(loosened, (key, value) => {
    if (key === 'name' && typeof value === 'string') return value.slice(value.lastIndexOf('.') + 1)
    if (key === 'values' && Array.isArray(value)) return value.filter((name) => name !== 'CHOICE_UNSPECIFIED')
    return key === 'default' ? undefined : value
  })
}

const PLAIN: readonly Shape[] = [
  { kind: 'any' },
  { kind: 'null' },
  { kind: 'boolean' },
  { kind: 'bytes', size: 3 },
  INT,
  { kind: 'number', bits: 64 },
  { kind: 'decimal', precision: 4, scale: 2 },
  { kind: 'string', format: 'date-time' }
]
const VALUES = ['A', 'b', 'a b', '1', '', 'UNKNOWN', 'name']
const RECORDS = ['a.A', 'com.google.Name', '', '3', 'ü.', undefined]
const FIELDS = ['a', 'A', 'a_b', 'aB', 'a-b', 'Name', 'string', '__proto__', '3', '', 'AEntry', 'ü']

const { shape: shapes } = fc.letrec<{ shape: Shape; field: FieldShape }>((tie) => ({
  field: fc.record({ name: fc.constantFrom(...FIELDS), shape: tie('shape'), optional: fc.boolean() }),
  shape: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...PLAIN),
    fc
      .uniqueArray(fc.constantFrom(...VALUES), { minLength: 1 })
      .map((values): Shape => ({ kind: 'enum', name: 'x.Name', values })),
    tie('shape').map((items): Shape => ({ kind: 'list', items })),
    tie('shape').map((values): Shape => ({ kind: 'map', values })),
    fc.array(tie('shape'), { minLength: 1, maxLength: 3 }).map((options): Shape => ({ kind: 'union', options })),
    fc
      .tuple(fc.constantFrom(...RECORDS), fc.uniqueArray(tie('field'), { maxLength: 6, selector: ({ name }) => name }))
      .map(([name, fields]): Shape => ({ kind: 'record', ...(name === undefined ? {} : { name }), fields }))
  )
}))

/** Whatever the shape, what is written of it is a schema. */
export function checkAnyShape(numRuns: number): void {
  fc.assert(
    fc.property(shapes, (shape) => void modelOf(protobuf.fromShape(shape).result)),
    { numRuns }
  )
}

export function faultsIn(model: ProtobufModel, value: unknown): ValueFault[] {
  return protobuf.faultsOf(model, value, new Effort(STEPS))
}

/** The same for the same seed. */
export function exampleOf(model: ProtobufModel, seed: number): unknown {
  let state = seed
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
  return protobuf.example(model, random, new Effort(STEPS))
}

/** Whatever is said not to break loses nothing; many pairs must have been said so, or nothing was tested. */
export function checkSoundness(numRuns: number): void {
  let compatible = 0
  const property = fc.property(pairs.chain(withValue), ({ before, after, texts, value }) => {
    if (breaks(compare(modelOf(texts[0]), modelOf(texts[1])))) return
    compatible++
    const losses = lossesOf(before, after, value, decode(texts[1], encode(texts[0], value)))
    assert.deepEqual(losses, [], `${texts.join('\n\n')}\n${JSON.stringify(value)}`)
  })
  fc.assert(property, { numRuns })
  assert.ok(compatible > numRuns / 10, `only ${compatible} of ${numRuns} pairs were compatible`)
}

function withValue(pair: typeof pairs extends fc.Arbitrary<infer Pair> ? Pair : never) {
  const { before, after, syntax } = pair
  const texts = [textOf(before, syntax), textOf(after, syntax)] as const
  return valuesFor(before, after).map((value) => ({ before, after, texts, value }))
}
