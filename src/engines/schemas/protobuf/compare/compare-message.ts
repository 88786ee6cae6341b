import { isPackable } from '../link/build-field.ts'
import type {
  EnumModel,
  FieldModel,
  FieldType,
  MessageModel,
  OneofModel,
  ProtobufModel,
  Scalar,
  ValueType
} from '../model.ts'
import { RULES } from '../rules.ts'
import { type Comparison, compareTypesWithin, pathOf } from './compare.ts'

export function compareMessage(comparison: Comparison, written: MessageModel, read: MessageModel): void {
  if (!comparison.enter(written, read)) return
  const path = pathOf(written, read)
  compareOneofs(comparison, path, written, read)
  const deletedOneofs = wholeOneofsDeleted(written, read)
  for (const [number, field] of written.fields) {
    comparison.effort.spend()
    const at = `${path}/${number}`
    const same = read.fields.get(number)
    if (same !== undefined) compareBoth(comparison, at, field, same)
    else comparison.add(removalOf(field, deletedOneofs), at, describe(field))
  }
  for (const [number, field] of read.fields) {
    if (written.fields.has(number)) continue
    const isRequired = field.label === 'required'
    const rule =
      field.oneof !== undefined ? RULES.oneof_field_added : isRequired ? RULES.required_field_added : RULES.field_added
    comparison.add(rule, `${path}/${number}`, undefined, describe(field))
  }
  compareReserved(comparison, path, written, read)
  comparison.compareOptions(path, written.options, read.options)
  compareTypesWithin(comparison, written, read)
}

function compareBoth(comparison: Comparison, path: string, written: FieldModel, read: FieldModel): void {
  if (written.oneof !== undefined && read.oneof === undefined)
    comparison.add(RULES.oneof_field_moved_out, path, written.oneof)
  if (written.oneof === undefined && read.oneof !== undefined) {
    comparison.add(RULES.field_moved_to_oneof, path, undefined, read.oneof)
  }
  compareField(comparison, path, written, read)
}

/** To lose one choice of several is to see none where one was made; to lose a whole choice is like losing a field. */
function removalOf(field: FieldModel, deletedOneofs: ReadonlySet<string>) {
  if (field.label === 'required') return RULES.required_field_removed
  return field.oneof === undefined || deletedOneofs.has(field.oneof) ? RULES.field_removed : RULES.oneof_field_removed
}

function wholeOneofsDeleted(written: MessageModel, read: MessageModel): ReadonlySet<string> {
  const kept = new Set(read.oneofs.map(({ name }) => name))
  const deleted = written.oneofs.filter(
    ({ name, numbers }) => !kept.has(name) && !numbers.some((number) => read.fields.has(number))
  )
  return new Set(deleted.map(({ name }) => name))
}

function compareOneofs(comparison: Comparison, path: string, written: MessageModel, read: MessageModel): void {
  const before = new Map(written.oneofs.map((oneof) => [oneof.name, oneof]))
  const after = new Map(read.oneofs.map((oneof) => [oneof.name, oneof]))
  for (const { name, numbers, options } of written.oneofs) {
    const same = after.get(name)
    if (same === undefined) comparison.add(RULES.oneof_removed, `${path}/${name}`, namesOf(written, numbers))
    else comparison.compareOptions(`${path}/${name}`, options, same.options)
  }
  for (const oneof of read.oneofs) {
    const at = `${path}/${oneof.name}`
    if (!before.has(oneof.name)) comparison.add(RULES.oneof_added, at, undefined, namesOf(read, oneof.numbers))
    const { alone, choices, numbers } = originsOf(oneof, written)
    if (alone + choices.length < 2) continue
    const rule = alone > 1 ? RULES.multiple_fields_moved_to_oneof : RULES.field_moved_to_existing_oneof
    comparison.add(rule, at, choices, namesOf(read, numbers))
  }
  for (const oneof of written.oneofs) {
    const { alone, choices, numbers } = originsOf(oneof, read)
    if (alone + choices.length > 1)
      comparison.add(RULES.oneof_split, `${path}/${oneof.name}`, namesOf(written, numbers), choices)
  }
}

/**
 * Fields of one choice exclude each other for readers. That is news, and costs data, where they come from more than one
 * place: a field that stood alone is a place of its own, fields of one choice are one. New fields come from nowhere.
 */
function originsOf({ numbers }: OneofModel, { fields }: MessageModel) {
  const known = numbers.flatMap((number) => fields.get(number) ?? [])
  return {
    alone: known.filter(({ oneof }) => oneof === undefined).length,
    choices: [...new Set(known.flatMap(({ oneof }) => oneof ?? []))],
    numbers: known.map(({ number }) => number)
  }
}

function namesOf({ fields }: MessageModel, numbers: readonly number[]): string[] {
  return numbers.map((number) => (fields.get(number) as FieldModel).name)
}

type Reserving = Pick<MessageModel | EnumModel, 'reserved' | 'reservedNames'>

export function compareReserved(comparison: Comparison, path: string, written: Reserving, read: Reserving): void {
  const [before, after] = [listOf(written), listOf(read)]
  if (before.join() !== after.join()) comparison.add(RULES.reserved_changed, path, before, after)
}

function listOf({ reserved, reservedNames }: Reserving): string[] {
  return [...reserved.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)), ...reservedNames]
}

/** A field that both have, by its number. */
export function compareField(comparison: Comparison, path: string, written: FieldModel, read: FieldModel): void {
  if (written.name !== read.name) comparison.add(RULES.field_name_changed, path, written.name, read.name)
  else if (written.jsonName !== read.jsonName) {
    comparison.add(RULES.field_json_name_changed, path, written.jsonName, read.jsonName)
  }
  if (compareTypes(comparison, path, written.type, read.type)) {
    if (written.isDelimited !== read.isDelimited) {
      const [before, after] = [written, read].map((field) =>
        field.isDelimited ? 'a group' : 'a message with its length'
      )
      comparison.add(RULES.field_kind_changed, path, before, after)
    } else compareLabels(comparison, path, written, read)
  }
  if (written.defaultValue !== read.defaultValue) {
    comparison.add(RULES.field_default_changed, path, written.defaultValue, read.defaultValue)
  }
  comparison.compareOptions(path, written.options, read.options)
}

function compareLabels(comparison: Comparison, path: string, written: FieldModel, read: FieldModel): void {
  const [before, after] = [labelAndType(written), labelAndType(read)]
  const [wasList, isList] = [written.label === 'repeated', read.label === 'repeated']
  const [wasRequired, isRequired] = [written.label === 'required', read.label === 'required']
  const isNumber = isPackable(written.type)
  const areLabelsOther = written.label !== undefined && read.label !== undefined && written.label !== read.label
  // Lists of numbers may be packed; one number is then not found in them, whatever label the reader has.
  if (isNumber && (areLabelsOther || (wasList && !isList))) {
    comparison.add(RULES.field_numeric_label_changed, path, before, after)
  } else if (isRequired && !wasRequired) comparison.add(RULES.field_became_required, path, before, after)
  else if (isList && !wasList) comparison.add(RULES.field_became_list, path, before, after)
  else if (wasList && !isList) comparison.add(RULES.field_became_single, path, before, after)
  else if (wasRequired && !isRequired) comparison.add(RULES.field_no_longer_required, path, before, after)
  else if (written.hasPresence !== read.hasPresence && written.oneof === read.oneof) {
    comparison.add(RULES.field_presence_changed, path, written.hasPresence, read.hasPresence)
  } else if (written.isPacked !== read.isPacked) {
    comparison.add(RULES.field_packing_changed, path, written.isPacked, read.isPacked)
  }
}

/** Says whether values can still be read. */
function compareTypes(comparison: Comparison, path: string, written: FieldType, read: FieldType): boolean {
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

/** Types of one kind are written the same way, so that one can be read as another. */
type ScalarKind = 'number' | 'zigzag' | 'text' | 'fixed32' | 'fixed64' | 'float' | 'double'

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

function scalarKind(type: Exclude<ValueType, { kind: 'message' }>): ScalarKind {
  return type.kind === 'enum' ? 'number' : KINDS[type.name]
}

/** As it stands in a `.proto`: `repeated string tags`. */
export function describe(field: FieldModel): string {
  return `${field.label === undefined ? '' : `${field.label} `}${typeText(field.type)} ${field.name}`
}

/** For changes of the label, where the name would say nothing. */
function labelAndType(field: FieldModel): string {
  return `${field.label === undefined ? '' : `${field.label} `}${typeText(field.type)}`
}

function typeText(type: FieldType): string {
  return type.kind === 'map' ? `map<${type.key}, ${typeText(type.value)}>` : type.name
}
