import assert from 'node:assert/strict'
import fc from 'fast-check'
import protobufjs from 'protobufjs'
import protojson from 'protobufjs/ext/protojson.js'
import { SchemaFault } from '../../fault.ts'
import type { Difference } from '../../format.ts'
import { compare, modelOf, parseText, WHO } from './parsing.ts'
import { pairs, textOf } from './specs.ts'
import { exampleOf, faultsIn } from './values.ts'

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
