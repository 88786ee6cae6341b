import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { Effort } from '../../fault.ts'
import type { Converted, Shape } from '../../format.ts'
import { Heights } from '../example.ts'
import * as avro from '../index.ts'
import type { AvroType } from '../model.ts'
import { Readability } from '../resolution.ts'
import type { Choices } from './any-schema.ts'
import { avscResolver, modelOf, STEPS } from './compatibility.ts'
import { type JudgedSide, judgedPairs, judgedSchemas, type Pair, pairs, type Side, schemas } from './pairs.ts'

const RENAMING = /^avro\.field_(renamed|ambiguous)/
const effort = () => new Effort(STEPS)

/** Where avsc is known to differ from the Java library, and so from us. */
const KNOWN: readonly ((written: Side, read: Side) => boolean)[] = [
  // It compares aliases without namespaces too, whereas Java wants the full name of what was written.
  (written, read) => {
    const names = namesIn(written.schema)
    const short = new Set(names.map(shortOf))
    return aliasesIn(read.schema).some((alias) => short.has(shortOf(alias)) && !names.includes(alias))
  }
]

/** That data can be read exactly when avsc reads them. */
export function checkVerdicts(numRuns: number): void {
  const counts = { readable: 0, all: 0 }
  const property = fc.property(judgedPairs, ({ written, read }) => {
    if (KNOWN.some((isKnown) => isKnown(written, read))) return
    const isReadable = breaking(written.model, read.model).length === 0
    assert.equal(isReadable, avscResolver(written.type, read.type) !== undefined)
    assert.equal(isReadable, new Readability(effort()).canRead(written.model, read.model))
    counts.all++
    if (isReadable) counts.readable++
  })
  fc.assert(property, { numRuns })
  // Both verdicts have to come up often enough for the property to say something.
  assert.ok(counts.readable > counts.all / 10 && counts.readable < counts.all * 0.9, JSON.stringify(counts))
}

/** That data which can be read are read, and give values of the schema they are read with. */
export function checkValues(numRuns: number): void {
  const property = fc.property(judgedPairs, ({ written, read, choices }: Pair<JudgedSide>) => {
    if (breaking(written.model, read.model).length > 0 || KNOWN.some((isKnown) => isKnown(written, read))) return
    if (new Heights(written.model, effort()).of(written.model) === Number.POSITIVE_INFINITY) return
    const value = avro.example(written.model, choices.random, effort())
    assert.deepEqual(avro.faultsOf(written.model, value, effort()), [])
    const bytes = written.type.toBuffer(written.type.fromString(JSON.stringify(value)))
    const seen = read.type.fromBuffer(bytes, avscResolver(written.type, read.type))
    assert.deepEqual(avro.faultsOf(read.model, JSON.parse(read.type.toString(seen)), effort()), [])
  })
  fc.assert(property, { numRuns })
}

/** That with the sides swapped the same changes are found in the same places. */
export function checkSwapped(numRuns: number): void {
  const property = fc.property(pairs, ({ written, read }) => {
    const there = avro.differences(written.model, read.model, effort())
    const back = avro.differences(read.model, written.model, effort())
    const places = (differences: typeof there) => [...new Set(differences.map(({ path }) => path))].sort()
    // What is below a field that only one side knows by both names is looked at in one direction only.
    if (!there.concat(back).some(({ rule }) => RENAMING.test(rule.code))) assert.deepEqual(places(there), places(back))
    for (const { rule, ...difference } of [...there, ...back]) {
      const message = rule.message({ rule, ...difference }, { writer: 'version 1', reader: 'version 2' })
      assert.match(message, /^[A-Z][^\n]*version [12][^\n]*\.$/)
      assert.ok(!message.includes('undefined'), message)
    }
  })
  fc.assert(property, { numRuns })
}

function breaking(written: AvroType, read: AvroType) {
  return avro.differences(written, read, effort()).filter(({ rule }) => rule.breaks)
}

function shortOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { name, symbols, fields, size } = schema as Record<string, unknown>
  const isType = symbols !== undefined || fields !== undefined || size !== undefined
  return [...(isType ? [String(name)] : []), ...Object.values(schema).flatMap(namesIn)]
}

function aliasesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { aliases } = schema as { aliases?: string[] }
  return [...(aliases ?? []), ...Object.values(schema).flatMap(aliasesIn)]
}

/** That a schema which became a shape and a schema again reads and is read, but where something was said to be lost. */
export function checkRoundTrips(numRuns: number): void {
  let lossless = 0
  const effort = () => new Effort(STEPS)
  const property = fc.property(schemas, ({ model }) => {
    const shape = avro.toShape(model, effort())
    const back = avro.fromShape(shape.result)
    const again = avro.parse({ text: back.result, dependencies: [] }, effort()).model
    const lost = [...shape.lost, ...back.lost].map(({ path }) => placeOf(path))
    if (lost.length === 0) lossless++
    for (const differences of [avro.differences(model, again, effort()), avro.differences(again, model, effort())]) {
      const unsaid = differences.filter(
        ({ rule, path }) => rule.breaks && !lost.some((place) => path.startsWith(place))
      )
      assert.deepEqual(
        unsaid.map(({ path, rule }) => `${path} ${rule.code}`),
        []
      )
    }
  })
  fc.assert(property, { numRuns })
  assert.ok(lossless > numRuns / 5, `only ${lossless} without a loss`)
}

/** A branch that lost something is another one to its union: both are differences there. */
function placeOf(path: string): string {
  const isBranch = !/(^|\/)(type|items|values|fields\/[^/]+)$/.test(path)
  return isBranch ? path.slice(0, Math.max(path.lastIndexOf('/'), 0)) : path
}

export function shapeOf(schema: unknown): Converted<Shape> {
  return avro.toShape(modelOf(schema), new Effort(STEPS))
}

/** That examples are values for avsc too, and that values with something wrong in them are for neither. */
export function checkExamples(numRuns: number): void {
  const effort = () => new Effort(STEPS)
  const property = fc.property(judgedSchemas, (side) => {
    const { model, choices } = side
    if (new Heights(model, effort()).of(model) === Number.POSITIVE_INFINITY) return
    const value = avro.example(model, choices.random, effort())
    assert.deepEqual(avro.faultsOf(model, value, effort()), [])
    assert.ok(isAvscValue(side, value), JSON.stringify(value))
    const changed = spoiled(value, choices)
    // Not the other way round: we take plain values of unions too, and records that lack what has a default.
    if (isAvscValue(side, changed)) assert.deepEqual(avro.faultsOf(model, changed, effort()), [])
  })
  fc.assert(property, { numRuns })
}

function isAvscValue({ type }: JudgedSide, value: unknown): boolean {
  try {
    // What it fills in or leaves out shows when it is written again.
    return isDeepStrictEqual(JSON.parse(type.toString(type.fromString(JSON.stringify(value)))), value)
  } catch {
    return false
  }
}

/** The value with one place in it that is something else. */
function spoiled(value: unknown, choices: Choices): unknown {
  const keys = Object.keys(Object(value))
  if (typeof value !== 'object' || value === null || keys.length === 0 || choices.once(5)) {
    return choices.of<unknown>(null, 'x', 1, true, 1.5, {}, [], 2 ** 40)
  }
  const key = choices.of(...keys)
  const inner = spoiled((value as Record<string, unknown>)[key], choices)
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner }
}
