import type { Effort } from '../effort.ts'
import { type AvroType, isNamed, type NamedType } from './model.ts'

/** Whether values of a type are written in JSON as everybody would: no bytes as characters, no times as numbers. */
export function isPlainJson(type: AvroType, effort: Effort, seen = new Set<NamedType>()): boolean {
  effort.spend()
  if (isNamed(type)) {
    if (seen.has(type)) return true
    seen.add(type)
  }
  switch (type.kind) {
    case 'bytes':
    case 'fixed':
      return false
    case 'array':
      return isPlainJson(type.items, effort, seen)
    case 'map':
      return isPlainJson(type.values, effort, seen)
    case 'union':
      return type.branches.every((branch) => isPlainJson(branch, effort, seen))
    case 'record':
      return type.fields.every((field) => isPlainJson(field.type, effort, seen))
    default:
      return type.logical === undefined || type.logical.name === 'uuid'
  }
}
