import {
  type FieldModel,
  type FieldType,
  isScalar,
  type Label,
  SCALARS,
  type Scalar,
  type ValueType
} from '../model.ts'
import { textOfBytes } from '../syntax/cursor.ts'
import type { FieldNode, OptionNode, OptionValue, Syntax } from '../syntax/nodes.ts'
import { MAX_FIELD_NUMBER } from '../syntax/parse-message.ts'
import { type Context, fault, optionsOf, plainOption, refuseTwice, type Scope } from './scopes.ts'

const [FIRST_OF_IMPLEMENTATIONS, LAST_OF_IMPLEMENTATIONS] = [19_000, 19_999]

/** `outer` are the features of the oneof or message that the field is in. */
export function buildField(
  context: Context,
  node: FieldNode,
  scope: Scope,
  outer: Features,
  extendee?: string
): FieldModel {
  context.effort.spend()
  checkNumber(context, node)
  checkLabel(context, node)
  refuseTwice(context, node.options, ['default', 'json_name', 'packed', 'deprecated'])
  const type = fieldTypeOf(context, node, scope)
  const features = featuresOf(outer, node.options)
  const label = labelOf(context.file.syntax, node, type, features)
  const isRepeated = label === 'repeated'
  return {
    name: node.name,
    jsonName: jsonNameOf(node),
    number: node.number,
    label,
    type,
    oneof: node.oneof,
    hasPresence: hasPresence(node, type, label, features),
    isPacked: isRepeated && isPackable(type) && isPacked(context, node, features),
    isDelimited: isDelimited(node, type, features),
    defaultValue: defaultOf(context, node, type, label),
    extendee,
    options: optionsOf(node.options)
  }
}

function checkNumber(context: Context, { name, number, numberAt }: FieldNode): void {
  if (number < 1 || number > MAX_FIELD_NUMBER) {
    throw fault(context, `Numbers of fields are 1 to ${MAX_FIELD_NUMBER}; ${name} has ${number}`, numberAt)
  }
  if (number >= FIRST_OF_IMPLEMENTATIONS && number <= LAST_OF_IMPLEMENTATIONS) {
    const message = `${name} has the number ${number}, but 19000 to 19999 belong to Protobuf itself; choose another`
    throw fault(context, message, numberAt)
  }
}

function checkLabel(context: Context, { name, at, label, type, oneof, options }: FieldNode): void {
  const { syntax } = context.file
  const isEdition = syntax !== 'proto2' && syntax !== 'proto3'
  if (syntax === 'proto3' && label === 'required') throw fault(context, `proto3 has no required fields: ${name}`, at)
  if (syntax !== 'proto2' && type.kind === 'group') {
    throw fault(context, `Only proto2 has groups; make ${name} a message`, at)
  }
  if (syntax === 'proto2' && label === undefined && oneof === undefined && type.kind !== 'map') {
    throw fault(context, `${name} needs a label in proto2: optional, required or repeated`, at)
  }
  if (isEdition && (label === 'optional' || label === 'required')) {
    throw fault(context, `Editions have no '${label}'; use the feature field_presence for ${name}`, at)
  }
  if (syntax === 'proto3' && plainOption(options, 'default') !== undefined) {
    throw fault(context, `proto3 has no default values; leave out that of ${name}`, at)
  }
}

function labelOf(syntax: Syntax, { label, oneof }: FieldNode, type: FieldType, features: Features): Label | undefined {
  // The label changes nothing here: fields of message types always have presence.
  if (syntax === 'proto3' && label === 'optional' && type.kind === 'message') return undefined
  const canBeRequired = syntax !== 'proto2' && label === undefined && oneof === undefined
  return canBeRequired && features.presence === 'LEGACY_REQUIRED' ? 'required' : label
}

function hasPresence(node: FieldNode, type: FieldType, label: Label | undefined, features: Features): boolean {
  if (label === 'repeated' || type.kind === 'map') return false
  return label !== undefined || node.oneof !== undefined || type.kind === 'message' || features.presence !== 'IMPLICIT'
}

function isPacked(context: Context, { options, at, name }: FieldNode, features: Features): boolean {
  const packed = plainOption(options, 'packed')
  if (packed !== undefined && packed !== 'true' && packed !== 'false') {
    throw fault(context, `The option packed of ${name} must be true or false`, at)
  }
  return packed === undefined ? features.lists === 'PACKED' : packed === 'true'
}

function isDelimited(node: FieldNode, type: FieldType, features: Features): boolean {
  return node.type.kind === 'group' || (type.kind === 'message' && features.messages === 'DELIMITED')
}

function defaultOf(context: Context, node: FieldNode, type: FieldType, label?: Label): string | undefined {
  const value = plainOption(node.options, 'default')
  if (value === undefined) return undefined
  if (label === 'repeated' || type.kind === 'map' || type.kind === 'message') {
    throw fault(context, `Only single values can have a default, which ${node.name} is not`, node.at)
  }
  return value
}

function jsonNameOf(node: FieldNode): string {
  const chosen = plainOption(node.options, 'json_name')
  return chosen === undefined ? defaultJsonName(node.name) : textOfBytes(chosen)
}

/** `unit_price` → `unitPrice`. */
export function defaultJsonName(name: string): string {
  if (!name.includes('_')) return name
  return name.replace(/_+([^_]?)/g, (_, letter: string) => letter.toUpperCase())
}

const NO_KEYS: readonly string[] = ['double', 'float', 'bytes']
const KEYS: ReadonlySet<string> = new Set(SCALARS.filter((name) => !NO_KEYS.includes(name)))

function fieldTypeOf(context: Context, { type }: FieldNode, scope: Scope): FieldType {
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

/** What editions can choose and the two syntaxes before them have fixed. Only what matters to data is here. */
export interface Features {
  readonly presence: 'EXPLICIT' | 'IMPLICIT' | 'LEGACY_REQUIRED'
  readonly enums: 'OPEN' | 'CLOSED'
  readonly lists: 'PACKED' | 'EXPANDED'
  readonly messages: 'LENGTH_PREFIXED' | 'DELIMITED'
}

const EDITION: Features = { presence: 'EXPLICIT', enums: 'OPEN', lists: 'PACKED', messages: 'LENGTH_PREFIXED' }

export const DEFAULTS: Readonly<Record<Syntax, Features>> = {
  proto2: { presence: 'EXPLICIT', enums: 'CLOSED', lists: 'EXPANDED', messages: 'LENGTH_PREFIXED' },
  proto3: { presence: 'IMPLICIT', enums: 'OPEN', lists: 'PACKED', messages: 'LENGTH_PREFIXED' },
  '2023': EDITION,
  '2024': EDITION
}

const VALUES: ReadonlyMap<string, Partial<Features>> = new Map([
  ['field_presence=EXPLICIT', { presence: 'EXPLICIT' }],
  ['field_presence=IMPLICIT', { presence: 'IMPLICIT' }],
  ['field_presence=LEGACY_REQUIRED', { presence: 'LEGACY_REQUIRED' }],
  ['enum_type=OPEN', { enums: 'OPEN' }],
  ['enum_type=CLOSED', { enums: 'CLOSED' }],
  ['repeated_field_encoding=PACKED', { lists: 'PACKED' }],
  ['repeated_field_encoding=EXPANDED', { lists: 'EXPANDED' }],
  ['message_encoding=LENGTH_PREFIXED', { messages: 'LENGTH_PREFIXED' }],
  ['message_encoding=DELIMITED', { messages: 'DELIMITED' }]
])

/** The features of something within what has the features `outer`. */
export function featuresOf(outer: Features, options: readonly OptionNode[]): Features {
  let features = outer
  for (const { name, value } of options) {
    if (!name.startsWith('features')) continue
    const chosen = name === 'features' ? fieldsOf(value) : [[name.slice('features.'.length), value] as const]
    for (const [field, choice] of chosen) {
      if (choice.kind === 'plain') features = { ...features, ...VALUES.get(`${field}=${choice.value}`) }
    }
  }
  return features
}

function fieldsOf(value: OptionValue): readonly (readonly [string, OptionValue])[] {
  return value.kind === 'fields' ? value.fields : []
}
