import type { FieldType, ProtobufModel } from '../model.ts'
import { RULES } from '../rules.ts'
import type { Comparison } from './comparison.ts'
import { typeText } from './describe.ts'
import { scalarKind } from './scalar-kinds.ts'

/** Says whether values can still be read. */
export function compareTypes(comparison: Comparison, path: string, written: FieldType, read: FieldType): boolean {
  const [before, after] = [typeText(written), typeText(read)]
  if (written.kind === 'map' && read.kind === 'map') {
    const areKeysSame = compareTypes(comparison, path, scalar(written.key), scalar(read.key))
    return compareTypes(comparison, path, written.value, read.value) && areKeysSame
  }
  if (written.kind === 'message' && read.kind === 'message') {
    return compareNamed(comparison, path, written.name, read.name)
  }
  if (written.kind === 'map' || read.kind === 'map' || written.kind === 'message' || read.kind === 'message') {
    comparison.add(RULES.field_kind_changed, path, before, after)
    return false
  }
  if (scalarKind(written) !== scalarKind(read)) {
    comparison.add(RULES.field_scalar_kind_changed, path, before, after)
    return false
  }
  const isSame =
    written.kind === read.kind && localName(comparison.written, written.name) === localName(comparison.read, read.name)
  if (!isSame) comparison.add(RULES.field_scalar_type_changed, path, before, after)
  return true
}

/** Messages are the same by their name within the package, and otherwise by what is in them. */
function compareNamed(comparison: Comparison, path: string, written: string, read: string): boolean {
  if (localName(comparison.written, written) !== localName(comparison.read, read)) {
    comparison.add(RULES.field_named_type_changed, path, written, read)
    return false
  }
  // With another package all types are elsewhere, which needs to be said but once.
  const [before, after] = [packageOf(comparison.written, written), packageOf(comparison.read, read)]
  const isWithFile = before === comparison.written.file.packageName && after === comparison.read.file.packageName
  if (before !== after && !isWithFile) comparison.add(RULES.field_named_type_moved, path, written, read)
  comparison.later(written, read)
  return true
}

function localName(model: ProtobufModel, name: string): string {
  return model.types.get(name)?.localName ?? name
}

function packageOf(model: ProtobufModel, name: string): string {
  const local = localName(model, name)
  return name.slice(0, Math.max(0, name.length - local.length - 1))
}

function scalar(name: (FieldType & { kind: 'map' })['key']): FieldType {
  return { kind: 'scalar', name }
}
