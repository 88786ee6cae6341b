import { type FieldType, isScalar, type Scalar, type ValueType } from '../model.ts'
import type { FieldNode } from '../syntax/nodes.ts'
import { type Context, fault } from './context.ts'
import type { Scope } from './scopes.ts'

const KEYS: ReadonlySet<string> = new Set([
  'int32',
  'int64',
  'uint32',
  'uint64',
  'sint32',
  'sint64',
  'fixed32',
  'fixed64',
  'sfixed32',
  'sfixed64',
  'bool',
  'string'
])

export function fieldTypeOf(context: Context, { type }: FieldNode, scope: Scope): FieldType {
  if (type.kind !== 'map') return valueTypeOf(context, type.name, scope, type.at)
  if (!KEYS.has(type.key)) {
    throw fault(context, `Keys of a map are integers, bool or string, not ${type.key}`, type.at)
  }
  return { kind: 'map', key: type.key as Scalar, value: valueTypeOf(context, type.value, scope, type.valueAt) }
}

function valueTypeOf(context: Context, name: string, scope: Scope, at: number): ValueType {
  if (isScalar(name)) return SCALAR_TYPES[name]
  const found = context.resolver.resolve(name, scope, at)
  return { kind: found.kind === 'enum' ? 'enum' : 'message', name: found.fullName }
}

const SCALAR_TYPES = Object.fromEntries(
  [...KEYS, 'double', 'float', 'bytes'].map((name) => [name, { kind: 'scalar', name }])
) as Record<Scalar, ValueType>

/** Whether values can stand one after the other without tags between them. */
export function isPackable(type: FieldType): boolean {
  return type.kind === 'enum' || (type.kind === 'scalar' && type.name !== 'string' && type.name !== 'bytes')
}
