import type { EnumModel, EnumValueModel } from '../model.ts'
import type { EnumNode } from '../syntax/nodes.ts'
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
  scopeOf
} from './context.ts'
import { type Features, featuresOf } from './features.ts'

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
