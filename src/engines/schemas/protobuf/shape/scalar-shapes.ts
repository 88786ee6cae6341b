import type { Shape } from '../../shape.ts'
import type { Scalar } from '../model.ts'

const INT32: Shape = { kind: 'integer', bits: 32, signed: true }
const UINT32: Shape = { kind: 'integer', bits: 32, signed: false }
const INT64: Shape = { kind: 'integer', bits: 64, signed: true }
const UINT64: Shape = { kind: 'integer', bits: 64, signed: false }

/** What values are; how they are encoded is not part of a shape. */
export const SCALAR_SHAPES: Readonly<Record<Scalar, Shape>> = {
  int32: INT32,
  sint32: INT32,
  sfixed32: INT32,
  uint32: UINT32,
  fixed32: UINT32,
  int64: INT64,
  sint64: INT64,
  sfixed64: INT64,
  uint64: UINT64,
  fixed64: UINT64,
  float: { kind: 'number', bits: 32 },
  double: { kind: 'number', bits: 64 },
  bool: { kind: 'boolean' },
  string: { kind: 'string' },
  bytes: { kind: 'bytes' }
}
