import type { Effort } from '../../fault.ts'
import type { Difference } from '../../format.ts'
import type {
  EnumModel,
  EnumValueModel,
  FieldModel,
  FileModel,
  MessageModel,
  OneofModel,
  ProtobufModel,
  ServiceModel
} from '../model.ts'
import { RULES } from '../rules.ts'
import { Comparison, compareField, describe, pathOf } from './comparison.ts'

export function differences(written: ProtobufModel, read: ProtobufModel, effort: Effort): Difference[] {
  const comparison = new Comparison(written, read, effort)
  const [before, after] = [written.file, read.file]
  if (before.packageName !== after.packageName) {
    comparison.add(RULES.package_changed, '/package', before.packageName, after.packageName)
  }
  if (before.syntax !== after.syntax) comparison.add(RULES.syntax_changed, '/syntax', before.syntax, after.syntax)
  comparison.compareOptions('', before.options, after.options)
  compareTypesWithin(comparison, before, after)
  compareServices(comparison, before.services, after.services)
  // Messages of imported files are compared only where fields refer to them.
  for (let next = comparison.next(); next !== undefined; next = comparison.next()) compareMessage(comparison, ...next)
  return comparison.found
}

function compareServices(
  comparison: Comparison,
  written: readonly ServiceModel[],
  read: readonly ServiceModel[]
): void {
  const [before, after] = [written, read].map(
    (services) => new Map(services.map((service) => [service.name, methodsOf(service)]))
  ) as [Map<string, string[]>, Map<string, string[]>]
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(name), after.get(name)]
    if (old?.join() !== now?.join()) comparison.add(RULES.service_changed, `/services/${name}`, old, now)
  }
}

function methodsOf({ methods }: ServiceModel): string[] {
  const texts = methods.map(({ name, input, output, isInputStream, isOutputStream }) => {
    return `${name}(${isInputStream ? 'stream ' : ''}${input}) → ${isOutputStream ? 'stream ' : ''}${output}`
  })
  return texts.sort()
}

type Holder = FileModel | MessageModel

/** The types that a file or a message holds, by their names. */
function compareTypesWithin(comparison: Comparison, written: Holder, read: Holder): void {
  const isPackageSame = comparison.written.file.packageName === comparison.read.file.packageName
  const alone = (type: { readonly fullName: string; readonly localName: string }) =>
    `/${isPackageSame ? type.fullName : type.localName}`
  const messages = pair(written.messages, read.messages)
  for (const { before, after, beforeIndex, afterIndex } of messages) {
    if (before !== undefined && after !== undefined) {
      compareMessage(comparison, before, after)
      if (beforeIndex !== afterIndex)
        comparison.add(RULES.message_moved, pathOf(before, after), beforeIndex, afterIndex)
    } else if (before !== undefined) comparison.add(RULES.message_removed, alone(before), before.localName)
    else if (after !== undefined) comparison.add(RULES.message_added, alone(after), undefined, after.localName)
  }
  for (const { before, after } of pair(written.enums, read.enums)) {
    if (before !== undefined && after !== undefined) compareEnum(comparison, before, after)
    else if (before !== undefined) comparison.add(RULES.enum_removed, alone(before), before.localName)
    else if (after !== undefined) comparison.add(RULES.enum_added, alone(after), undefined, after.localName)
  }
  compareExtensions(comparison, written.extensions, read.extensions)
}

interface Pair<T> {
  readonly before?: T
  readonly after?: T
  readonly beforeIndex?: number
  readonly afterIndex?: number
}

function pair<T extends { readonly name: string }>(written: readonly T[], read: readonly T[]): Pair<T>[] {
  if (written.length === 0 && read.length === 0) return []
  const pairs = new Map<string, Pair<T>>(written.map((before, beforeIndex) => [before.name, { before, beforeIndex }]))
  read.forEach((after, afterIndex) => void pairs.set(after.name, { ...pairs.get(after.name), after, afterIndex }))
  return [...pairs.values()]
}

function compareMessage(comparison: Comparison, written: MessageModel, read: MessageModel): void {
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

/**
 * A reader that lacks one field of a oneof sees no choice where the writer made one. A reader that lacks the whole
 * oneof only lacks fields.
 */
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
    if (same === undefined) comparison.add(RULES.oneof_removed, `${path}/${name}`, fieldNames(written, numbers))
    else comparison.compareOptions(`${path}/${name}`, options, same.options)
  }
  for (const oneof of read.oneofs) {
    const at = `${path}/${oneof.name}`
    if (!before.has(oneof.name)) comparison.add(RULES.oneof_added, at, undefined, fieldNames(read, oneof.numbers))
    const { alone, choices, numbers } = originsOf(oneof, written)
    if (alone + choices.length < 2) continue
    const rule = alone > 1 ? RULES.multiple_fields_moved_to_oneof : RULES.field_moved_to_existing_oneof
    comparison.add(rule, at, choices, fieldNames(read, numbers))
  }
  for (const oneof of written.oneofs) {
    const { alone, choices, numbers } = originsOf(oneof, read)
    if (alone + choices.length > 1)
      comparison.add(RULES.oneof_split, `${path}/${oneof.name}`, fieldNames(written, numbers), choices)
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

function fieldNames({ fields }: MessageModel, numbers: readonly number[]): string[] {
  return numbers.map((number) => (fields.get(number) as FieldModel).name)
}

function compareExtensions(comparison: Comparison, written: readonly FieldModel[], read: readonly FieldModel[]): void {
  if (written.length === 0 && read.length === 0) return
  const keyOf = ({ extendee, number }: FieldModel) => `/${extendee}/${number}`
  const after = new Map(read.map((field) => [keyOf(field), field]))
  for (const field of written) {
    const path = keyOf(field)
    const same = after.get(path)
    after.delete(path)
    if (same === undefined) comparison.add(RULES.field_removed, path, describe(field))
    else compareField(comparison, path, field, same)
  }
  for (const [path, field] of after) comparison.add(RULES.field_added, path, undefined, describe(field))
}

function compareEnum(comparison: Comparison, written: EnumModel, read: EnumModel): void {
  const path = pathOf(written, read)
  const [before, after] = [byNumber(written), byNumber(read)]
  if (written.isOpen !== read.isOpen) comparison.add(read.isOpen ? RULES.enum_opened : RULES.enum_closed, path)
  for (const [number, values] of before) {
    comparison.effort.spend()
    const at = `${path}/${number}`
    const same = after.get(number)
    const names = namesOf(values)
    if (same === undefined) comparison.add(RULES.enum_value_removed, at, names)
    else if (names !== namesOf(same)) comparison.add(RULES.enum_value_renamed, at, names, namesOf(same))
    else values.forEach((value, index) => void comparison.compareOptions(at, value.options, same[index]?.options ?? []))
  }
  for (const [number, values] of after) {
    if (!before.has(number)) comparison.add(RULES.enum_value_added, `${path}/${number}`, undefined, namesOf(values))
  }
  compareReserved(comparison, path, written, read)
  comparison.compareOptions(path, written.options, read.options)
}

/** The values of an enum by number. With aliases several values share one. */
function byNumber({ values }: EnumModel): ReadonlyMap<number, EnumValueModel[]> {
  const found = new Map<number, EnumValueModel[]>()
  for (const value of values) {
    const same = found.get(value.number)
    if (same === undefined) found.set(value.number, [value])
    else same.push(value)
  }
  return found
}

function namesOf(values: readonly EnumValueModel[]): string {
  return values.map(({ name }) => name).join(' = ')
}

type Reserving = Pick<MessageModel | EnumModel, 'reserved' | 'reservedNames'>

function compareReserved(comparison: Comparison, path: string, written: Reserving, read: Reserving): void {
  const [before, after] = [listOf(written), listOf(read)]
  if (before.join() !== after.join()) comparison.add(RULES.reserved_changed, path, before, after)
}

function listOf({ reserved, reservedNames }: Reserving): string[] {
  return [...reserved.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)), ...reservedNames]
}
