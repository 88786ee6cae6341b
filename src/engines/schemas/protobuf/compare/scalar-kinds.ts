import type { Scalar, ValueType } from '../model.ts'

/** Types of one kind are written the same way, so that one can be read as another. */
export type ScalarKind = 'number' | 'zigzag' | 'text' | 'fixed32' | 'fixed64' | 'float' | 'double'

const KINDS: Readonly<Record<Scalar, ScalarKind>> = {
  int32: 'number',
  int64: 'number',
  uint32: 'number',
  uint64: 'number',
  bool: 'number',
  sint32: 'zigzag',
  sint64: 'zigzag',
  string: 'text',
  bytes: 'text',
  fixed32: 'fixed32',
  sfixed32: 'fixed32',
  fixed64: 'fixed64',
  sfixed64: 'fixed64',
  float: 'float',
  double: 'double'
}

export function scalarKind(type: Exclude<ValueType, { kind: 'message' }>): ScalarKind {
  return type.kind === 'enum' ? 'number' : KINDS[type.name]
}
