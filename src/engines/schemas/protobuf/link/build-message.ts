import type { EnumModel, EnumValueModel, FieldModel, MessageModel, OneofModel, Range } from '../model.ts'
import type { EnumNode, ExtensionNode, FieldNode, MessageNode } from '../syntax/nodes.ts'
import { buildField, type Features, featuresOf } from './build-field.ts'
import {
  type Context,
  fault,
  isIn,
  localNameOf,
  optionsOf,
  plainOption,
  rangesOf,
  refuseTwice,
  reservedNamesOf,
  type Scope,
  scopeOf
} from './scopes.ts'

export function buildMessage(context: Context, node: MessageNode, outer: Features): MessageModel {
  const scope = scopeOf(context, node)
  const features = featuresOf(outer, node.options)
  const reserved = rangesOf(context, node.reserved)
  const extensionRanges = rangesOf(context, node.extensionRanges)
  const reservedNames = reservedNamesOf(context, node.reservedNames)
  refuseExtensionsInProto3(context, node)
  const taken: Taken = { reserved, extensionRanges, reservedNames }
  const model: MessageModel = {
    kind: 'message',
    name: node.name,
    fullName: scope.fullName,
    localName: localNameOf(context, scope.fullName),
    fields: buildFields(context, node, scope, features, taken),
    oneofs: buildOneofs(node),
    messages: node.messages.map((message) => buildMessage(context, message, features)),
    enums: node.enums.map((enumeration) => buildEnum(context, enumeration, features)),
    extensions: node.extensions.map((extension) => buildExtension(context, extension, scope, features)),
    extensionRanges,
    reserved,
    reservedNames: [...reservedNames].sort(),
    options: optionsOf(node.options)
  }
  context.types.set(scope.fullName, model)
  return model
}

function buildOneofs({ oneofs, fields }: MessageNode): OneofModel[] {
  const numbers = new Map<string, number[]>(oneofs.map(({ name }) => [name, []]))
  for (const { oneof, number } of fields) if (oneof !== undefined) numbers.get(oneof)?.push(number)
  return oneofs.map(({ name, options }) => {
    return { name, numbers: (numbers.get(name) ?? []).sort((a, b) => a - b), options: optionsOf(options) }
  })
}

interface Taken {
  readonly reserved: readonly Range[]
  readonly extensionRanges: readonly Range[]
  readonly reservedNames: ReadonlySet<string>
}

function buildFields(
  context: Context,
  node: MessageNode,
  scope: Scope,
  features: Features,
  taken: Taken
): ReadonlyMap<number, FieldModel> {
  const ofOneofs = new Map(node.oneofs.map(({ name, options }) => [name, featuresOf(features, options)]))
  const fields = new Map<number, FieldModel>()
  for (const field of [...node.fields].sort((a, b) => a.number - b.number)) {
    const other = fields.get(field.number)
    if (other !== undefined) {
      const message = `${other.name} and ${field.name} of ${node.name} have the same number ${field.number}`
      throw fault(context, `${message}; give one of them another`, field.numberAt)
    }
    checkTaken(context, field, taken)
    const outer = field.oneof === undefined ? features : (ofOneofs.get(field.oneof) as Features)
    fields.set(field.number, buildField(context, field, scope, outer))
  }
  return fields
}

function checkTaken(context: Context, { name, at, number, numberAt }: FieldNode, taken: Taken): void {
  if (isIn(taken.reserved, number)) {
    throw fault(context, `${name} uses the number ${number}, which is reserved; choose another`, numberAt)
  }
  if (isIn(taken.extensionRanges, number)) {
    throw fault(context, `${name} uses the number ${number}, which is kept for extensions; choose another`, numberAt)
  }
  if (taken.reservedNames.has(name)) throw fault(context, `The name ${name} is reserved; choose another`, at)
}

function refuseExtensionsInProto3(context: Context, node: MessageNode): void {
  const range = node.extensionRanges[0]
  if (context.file.syntax !== 'proto3' || range === undefined) return
  throw fault(context, `proto3 has no extensions; leave out the range of ${node.name}`, range.at)
}

export function buildExtension(
  context: Context,
  { extendee, at, field }: ExtensionNode,
  scope: Scope,
  features: Features
): FieldModel {
  const { fullName } = context.resolver.resolve(extendee, scope, at)
  const ranges = context.extendable.get(fullName)
  if (ranges === undefined) throw fault(context, `${extendee} is not a message, so it can't be extended`, at)
  if (!isIn(ranges, field.number)) {
    const message = `${fullName} does not have ${field.number} among its extensions, so ${field.name} can't be added`
    throw fault(context, message, field.numberAt)
  }
  const key = `${fullName} ${field.number}`
  const other = context.extensions.get(key)
  if (other !== undefined) {
    throw fault(context, `${other} and ${field.name} extend ${fullName} with the same number ${field.number}`, field.at)
  }
  context.extensions.set(key, field.name)
  if (context.file.syntax === 'proto3' && !/^google\.protobuf\.[A-Za-z]+Options$/.test(fullName)) {
    throw fault(context, `proto3 can extend options only, not ${fullName}`, at)
  }
  if (field.label === 'required') throw fault(context, `The extension ${field.name} can't be required`, field.at)
  if (field.type.kind === 'map') throw fault(context, `The extension ${field.name} can't be a map`, field.at)
  return buildField(context, field, scope, features, fullName)
}

export function buildEnum(context: Context, node: EnumNode, outer: Features): EnumModel {
  const { fullName } = scopeOf(context, node)
  const isOpen = featuresOf(outer, node.options).enums === 'OPEN'
  refuseTwice(context, node.options, ['allow_alias', 'deprecated'])
  const first = node.values[0]
  if (first === undefined) throw fault(context, `The enum ${node.name} has no values; give it one`, node.at)
  if (isOpen && first.number !== 0) {
    throw fault(context, `The first value of the enum ${node.name} must be 0, which ${first.name} is not`, first.at)
  }
  const reserved = rangesOf(context, node.reserved)
  const reservedNames = reservedNamesOf(context, node.reservedNames)
  for (const { name, number, at } of node.values) {
    if (isIn(reserved, number)) throw fault(context, `${name} uses the number ${number}, which is reserved`, at)
    if (reservedNames.has(name)) throw fault(context, `The name ${name} is reserved`, at)
  }
  refuseAliases(context, node)
  const values = node.values.map(
    ({ name, number, options }): EnumValueModel => ({ name, number, options: optionsOf(options) })
  )
  const model: EnumModel = {
    kind: 'enum',
    name: node.name,
    fullName,
    localName: localNameOf(context, fullName),
    values,
    isOpen,
    reserved,
    reservedNames: [...reservedNames].sort(),
    options: optionsOf(node.options)
  }
  context.types.set(fullName, model)
  return model
}

function refuseAliases(context: Context, node: EnumNode): void {
  if (plainOption(node.options, 'allow_alias') === 'true') return
  const names = new Map<number, string>()
  for (const { name, number, at } of node.values) {
    const other = names.get(number)
    if (other !== undefined) {
      const message = `${name} and ${other} have the same number ${number}; change one or set option allow_alias = true`
      throw fault(context, message, at)
    }
    names.set(number, name)
  }
}
