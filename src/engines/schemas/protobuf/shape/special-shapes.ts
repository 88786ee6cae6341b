import type { Shape } from '../../shape.ts'
import { WRAPPERS } from '../value/well-known.ts'
import { SCALAR_SHAPES } from './scalar-shapes.ts'

interface SpecialShape {
  readonly shape: Shape
  readonly lost?: string
}

/** Messages that look different in JSON than their fields say. */
export const SPECIAL_SHAPES: ReadonlyMap<string, SpecialShape> = new Map<string, SpecialShape>([
  ['google.protobuf.Timestamp', { shape: { kind: 'string', format: 'date-time' } }],
  ['google.protobuf.Duration', { shape: { kind: 'string' }, lost: 'That texts are durations such as "1.5s"' }],
  ['google.protobuf.FieldMask', { shape: { kind: 'string' }, lost: 'That texts are paths of fields' }],
  ['google.protobuf.Struct', { shape: { kind: 'map', values: { kind: 'any' } } }],
  ['google.protobuf.ListValue', { shape: { kind: 'list', items: { kind: 'any' } } }],
  ['google.protobuf.Value', { shape: { kind: 'any' } }],
  ['google.protobuf.Any', { shape: { kind: 'any' }, lost: 'That values say of which type they are' }],
  ...Array.from(WRAPPERS, ([name, scalar]): [string, SpecialShape] => [
    name,
    { shape: { kind: 'union', options: [SCALAR_SHAPES[scalar], { kind: 'null' }] } }
  ])
])
