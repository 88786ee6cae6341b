import { type Effort, MAX_DEPTH } from '../../effort.ts'
import type { ExtensionNode, FieldNode, Label, MessageNode, Syntax, TypeNode } from '../syntax/nodes.ts'
import type { SourceText } from '../syntax/source-text.ts'
import type { FieldDescriptor, MessageDescriptor, RangeDescriptor } from './descriptor.ts'
import { checkedName, enumNode, NOWHERE } from './file-node.ts'
import { defaultOption, optionNodes, textOption } from './option-nodes.ts'

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
    // An optional field of proto3 has a choice of its own, which nobody wrote.
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
