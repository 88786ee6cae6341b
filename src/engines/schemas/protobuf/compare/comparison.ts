import type { Effort } from '../../fault.ts'
import type { Difference, Rule } from '../../format.ts'
import { printOptions } from '../canonical.ts'
import { isPackable } from '../link/build-field.ts'
import type {
  EnumModel,
  FieldModel,
  FieldType,
  MessageModel,
  Option,
  ProtobufModel,
  Scalar,
  ValueType
} from '../model.ts'
import { RULES } from '../rules.ts'

const MAX_SHOWN_CHARS = 200
const MAX_SHOWN = 20

/** The comparison of two schemas, with the differences found so far. */
export class Comparison {
  readonly written: ProtobufModel
  readonly read: ProtobufModel
  readonly effort: Effort
  readonly found: Difference[] = []
  readonly #seen = new Set<string>()
  readonly #left: (readonly [MessageModel, MessageModel])[] = []

  constructor(written: ProtobufModel, read: ProtobufModel, effort: Effort) {
    this.written = written
    this.read = read
    this.effort = effort
  }

  add(rule: Rule, path: string, before?: unknown, after?: unknown): void {
    this.effort.spend()
    this.found.push({
      rule,
      path,
      ...(before === undefined ? {} : { before: cut(before) }),
      ...(after === undefined ? {} : { after: cut(after) })
    })
  }

  /** Whether the pair was not compared yet. Messages may refer to each other in circles. */
  enter(written: MessageModel, read: MessageModel): boolean {
    const pair = `${written.fullName} ${read.fullName}`
    if (this.#seen.has(pair)) return false
    this.#seen.add(pair)
    return true
  }

  /** Puts the messages that a field refers to on a list to compare later, so that the stack stays flat. */
  later(written: string, read: string): void {
    const pair = [this.written.types.get(written), this.read.types.get(read)] as const
    if (pair[0]?.kind === 'message' && pair[1]?.kind === 'message')
      this.#left.push(pair as [MessageModel, MessageModel])
  }

  next(): readonly [MessageModel, MessageModel] | undefined {
    return this.#left.pop()
  }

  compareOptions(path: string, written: readonly Option[], read: readonly Option[]): void {
    if (written.length === 0 && read.length === 0) return
    const [before, after] = [written, read].map((options) => printOptions(options, OPTIONS_WITH_RULES)) as [
      string[],
      string[]
    ]
    if (before.join('\n') !== after.join('\n')) this.add(RULES.options_changed, path, before, after)
  }
}

/** Options that change data. They have rules of their own, so `options_changed` leaves them out. */
const OPTIONS_WITH_RULES: ReadonlySet<string> = new Set(['default', 'json_name', 'packed'])

/** The path of a type. It is the same with the sides swapped: where the packages differ, the name is without them. */
export function pathOf(written: MessageModel | EnumModel, read: MessageModel | EnumModel): string {
  return `/${written.fullName === read.fullName ? read.fullName : read.localName}`
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_SHOWN_CHARS ? `${value.slice(0, MAX_SHOWN_CHARS)}…` : value
  if (!Array.isArray(value)) return value
  const shown = value.slice(0, MAX_SHOWN).map(cut)
  return value.length > MAX_SHOWN ? [...shown, '…'] : shown
}

/** Compares a field that both schemas have under one number. */
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

/** Compares two types, and answers whether values can still be read. */
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

/** Compares two message types. They correspond where their names without the package are the same. */
function compareNamed(comparison: Comparison, path: string, written: string, read: string): boolean {
  if (localName(comparison.written, written) !== localName(comparison.read, read)) {
    comparison.add(RULES.field_named_type_changed, path, written, read)
    return false
  }
  // A changed package moves all types. `package_changed` says so once, so it is not said for each field.
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

/** The field as a `.proto` text has it, such as `repeated string tags`. */
export function describe(field: FieldModel): string {
  return `${field.label === undefined ? '' : `${field.label} `}${typeText(field.type)} ${field.name}`
}

/** Label and type without the name, for changes of the label. */
function labelAndType(field: FieldModel): string {
  return `${field.label === undefined ? '' : `${field.label} `}${typeText(field.type)}`
}

function typeText(type: FieldType): string {
  return type.kind === 'map' ? `map<${type.key}, ${typeText(type.value)}>` : type.name
}
