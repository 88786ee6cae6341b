import { type Effort, MAX_DEPTH } from '../../fault.ts'
import { bytesOfLiteral, bytesOfText, type SourceText } from '../syntax/cursor.ts'
import type {
  EnumNode,
  ExtensionNode,
  FieldNode,
  Label,
  MessageNode,
  OptionNode,
  OptionValue,
  Syntax,
  TypeNode
} from '../syntax/nodes.ts'
// What protobufjs makes of a descriptor, as far as it is used.

export interface MessageDescriptor {
  readonly name?: string
  readonly field?: readonly FieldDescriptor[]
  readonly extension?: readonly FieldDescriptor[]
  readonly nestedType?: readonly MessageDescriptor[]
  readonly enumType?: readonly EnumDescriptor[]
  readonly extensionRange?: readonly RangeDescriptor[]
  readonly oneofDecl?: readonly { readonly name?: string; readonly options?: Options }[]
  readonly options?: Options
  readonly reservedRange?: readonly RangeDescriptor[]
  readonly reservedName?: readonly string[]
}

export interface FieldDescriptor {
  readonly name?: string
  readonly extendee?: string
  readonly number?: number
  readonly label?: string
  readonly type?: string
  readonly typeName?: string
  readonly defaultValue?: string
  readonly oneofIndex?: number
  readonly jsonName?: string
  readonly options?: Options
  readonly proto3Optional?: boolean
}

interface RangeDescriptor {
  readonly start?: number
  readonly end?: number
}

export interface EnumDescriptor {
  readonly name?: string
  readonly value?: readonly { readonly name?: string; readonly number?: number; readonly options?: Options }[]
  readonly options?: Options
  readonly reservedRange?: readonly RangeDescriptor[]
  readonly reservedName?: readonly string[]
}

export type Options = Readonly<Record<string, unknown>>

// Compiled texts have no lines, so their nodes have no place in the text.
export const NOWHERE = -1

interface Context {
  readonly source: SourceText
  readonly syntax: Syntax
  readonly effort: Effort
}

export function messageNode(context: Context, message: MessageDescriptor, depth: number): MessageNode {
  const { source, effort } = context
  if (depth > MAX_DEPTH) throw source.fault(`Messages are nested more than ${MAX_DEPTH} deep`, NOWHERE, 'too_complex')
  effort.spend()
  const nested = message.nestedType ?? []
  const entries = new Map(nested.filter(isEntry).map((entry) => [entry.name ?? '', entry]))
  const oneofs = (message.oneofDecl ?? []).map(({ name }) => checkedName(source, name))
  const fields = (message.field ?? []).map((field) => fieldNode(context, field, entries, oneofs))
  const used = new Set(fields.map(({ oneof }) => oneof))
  return {
    name: checkedName(source, message.name),
    at: NOWHERE,
    fields,
    // Compilers put each optional field of proto3 into a oneof of its own, which the text does not have.
    oneofs: (message.oneofDecl ?? [])
      .map(({ name = '', options }) => ({ name, at: NOWHERE, options: optionNodes(options) }))
      .filter(({ name }) => used.has(name)),
    messages: nested.filter((inner) => !isEntry(inner)).map((inner) => messageNode(context, inner, depth + 1)),
    enums: (message.enumType ?? []).map((enumeration) => enumNode(source, enumeration)),
    extensions: (message.extension ?? []).map((field) => extensionNode(context, field)),
    extensionRanges: (message.extensionRange ?? []).map(rangeNode),
    reserved: (message.reservedRange ?? []).map(rangeNode),
    reservedNames: (message.reservedName ?? []).map((name) => ({ name, at: NOWHERE })),
    options: optionNodes(message.options)
  }
}

export function enumNode(source: SourceText, enumeration: EnumDescriptor): EnumNode {
  return {
    name: checkedName(source, enumeration.name),
    at: NOWHERE,
    values: (enumeration.value ?? []).map((value) => ({
      name: checkedName(source, value.name),
      at: NOWHERE,
      number: value.number ?? 0,
      options: optionNodes(value.options)
    })),
    // Reserved ranges of enums include their ends, those of messages do not.
    reserved: (enumeration.reservedRange ?? []).map(({ start = 0, end = 0 }) => ({
      from: start,
      to: end,
      at: NOWHERE
    })),
    reservedNames: (enumeration.reservedName ?? []).map((name) => ({ name, at: NOWHERE })),
    options: optionNodes(enumeration.options)
  }
}

function isEntry({ options }: MessageDescriptor): boolean {
  return options?.mapEntry === true
}

function rangeNode({ start = 0, end = 0 }: RangeDescriptor) {
  return { from: start, to: end - 1, at: NOWHERE }
}

export function extensionNode(context: Context, field: FieldDescriptor): ExtensionNode {
  const extendee = checkedName(context.source, field.extendee, true)
  return { extendee, at: NOWHERE, field: fieldNode(context, field, new Map(), []) }
}

function fieldNode(
  context: Context,
  field: FieldDescriptor,
  entries: ReadonlyMap<string, MessageDescriptor>,
  oneofs: readonly string[]
): FieldNode {
  const { source, effort, syntax } = context
  effort.spend()
  const type = typeNode(source, field, entries)
  const isAlone = field.oneofIndex === undefined || field.proto3Optional === true
  const oneof = isAlone ? undefined : oneofs[field.oneofIndex ?? -1]
  const options = [...optionNodes(field.options), ...textOption('json_name', field.jsonName)]
  return {
    name: checkedName(source, field.name),
    at: NOWHERE,
    number: field.number ?? 0,
    numberAt: NOWHERE,
    label: type.kind === 'map' || oneof !== undefined ? undefined : labelOf(field, syntax),
    type,
    oneof,
    options: [...options, ...defaultOption(field)]
  }
}

function labelOf({ label, proto3Optional }: FieldDescriptor, syntax: Syntax): Label | undefined {
  if (label === 'LABEL_REPEATED') return 'repeated'
  if (label === 'LABEL_REQUIRED') return 'required'
  return syntax === 'proto2' || proto3Optional === true ? 'optional' : undefined
}

function typeNode(
  source: SourceText,
  { type = '', typeName }: FieldDescriptor,
  entries: ReadonlyMap<string, MessageDescriptor>
): TypeNode {
  if (typeName === undefined) {
    return { kind: 'named', name: type.replace('TYPE_', '').toLowerCase(), at: NOWHERE }
  }
  const name = checkedName(source, typeName, true)
  if (type === 'TYPE_GROUP') return { kind: 'group', name, at: NOWHERE }
  const [key, value] = entries.get(name.slice(name.lastIndexOf('.') + 1))?.field ?? []
  if (key === undefined || value === undefined) return { kind: 'named', name, at: NOWHERE }
  const [keyType, valueType] = [key, value].map((part) => typeNode(source, part, new Map())) as [TypeNode, TypeNode]
  return { kind: 'map', key: nameOf(keyType), value: nameOf(valueType), at: NOWHERE, valueAt: NOWHERE }
}

function nameOf(type: TypeNode): string {
  return type.kind === 'map' ? '' : type.name
}

/** Refuses what is no name. Names are printed and looked up, and a descriptor can contain any text. */
export function checkedName(source: SourceText, name: string | undefined, mayHaveDots = false): string {
  const pattern = mayHaveDots ? /^\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$|^$/ : /^[A-Za-z_]\w*$/
  if (name !== undefined && name.length <= 1_000 && pattern.test(name)) return name
  throw source.fault(`${JSON.stringify(name ?? '').slice(0, 100)} is not a name; compile the schema anew`, NOWHERE)
}

// Options that a schema has made itself are not seen here: without it a compiled text has only their numbers.

const MADE_BY_COMPILERS: ReadonlySet<string> = new Set(['uninterpretedOption', 'mapEntry'])
const ENUM_NAME = /^[A-Z][A-Z0-9_]*$/

export function optionNodes(options: Options | undefined): OptionNode[] {
  return Object.entries(options ?? {})
    .filter(([name]) => !MADE_BY_COMPILERS.has(name))
    .map(([name, value]) => ({ name: snakeCase(name), value: optionValue(value, TEXTS.has(name)), at: NOWHERE }))
}

/** These are texts even where they look like the name of a value. */
const TEXTS: ReadonlySet<string> = new Set([
  'javaPackage',
  'javaOuterClassname',
  'goPackage',
  'objcClassPrefix',
  'csharpNamespace',
  'swiftPrefix',
  'phpClassPrefix',
  'phpNamespace',
  'phpMetadataNamespace',
  'rubyPackage'
])

function optionValue(value: unknown, isText: boolean): OptionValue {
  if (Array.isArray(value)) return { kind: 'list', values: value.map((inner) => optionValue(inner, isText)) }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, inner]) => [snakeCase(name), optionValue(inner, false)] as const)
    return { kind: 'fields', fields }
  }
  const isPlain = typeof value !== 'string' || (!isText && ENUM_NAME.test(value))
  return isPlain ? { kind: 'plain', value: String(value) } : { kind: 'string', value: bytesOfText(value) }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function textOption(name: string, text: string | undefined): OptionNode[] {
  return text === undefined ? [] : [{ name, value: { kind: 'string', value: bytesOfText(text) }, at: NOWHERE }]
}

/** The default as an option. A descriptor has strings unescaped, and bytes with the escapes of a `.proto` text. */
function defaultOption({ type, defaultValue }: FieldDescriptor): OptionNode[] {
  if (defaultValue === undefined) return []
  if (type === 'TYPE_STRING') return textOption('default', defaultValue)
  const value: OptionValue =
    type === 'TYPE_BYTES'
      ? { kind: 'string', value: bytesOfLiteral(defaultValue) ?? '' }
      : { kind: 'plain', value: defaultValue }
  return [{ name: 'default', value, at: NOWHERE }]
}
