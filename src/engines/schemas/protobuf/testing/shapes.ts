import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Effort } from '../../effort.ts'
import type { Converted } from '../../format.ts'
import type { FieldShape, Shape } from '../../shape.ts'
import { protobuf } from '../index.ts'
import { modelOf } from './parsing.ts'
import { pairs, textOf } from './specs.ts'

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
