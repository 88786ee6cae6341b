import { logicalOf } from './logical.ts'
import type { EnumType, FixedType, JsonObject } from './model.ts'
import { fullNameOf, isFullName, isName, NAME_HELP, namespaceOf, quoted } from './names.ts'
import type { ParseContext, Spot } from './parse-context.ts'
import { propertiesOf } from './properties.ts'

const MAX_FIXED_SIZE = 2 ** 31 - 1

/** What records, enums and fixed types have in common. */
export function parseNames(context: ParseContext, object: JsonObject, spot: Spot) {
  const { pointer } = spot
  const given = context.text(object, 'name', pointer)
  if (given === undefined) throw context.fault(`A type of kind ${object.get('type')} needs a "name"`, pointer)
  const namespace = context.text(object, 'namespace', pointer)
  const name = fullNameOf(given, namespace ?? spot.namespace)
  if (given === '' || !isFullName(name)) {
    const culprit = isFullName(given) ? 'namespace' : 'name'
    const text = culprit === 'name' ? given : (namespace ?? spot.namespace)
    throw context.fault(`The ${culprit} ${quoted(text)} is not valid; ${NAME_HELP}`, `${pointer}/${culprit}`)
  }
  const doc = context.text(object, 'doc', pointer)
  const aliases = context.texts(object, 'aliases', pointer).map((alias, index) => {
    const full = fullNameOf(alias, namespaceOf(name))
    if (alias !== '' && isFullName(full)) return full
    throw context.fault(`The alias ${quoted(alias)} is not valid; ${NAME_HELP}`, `${pointer}/aliases/${index}`)
  })
  return { name, aliases: [...new Set(aliases)].sort(), ...(doc !== undefined && { doc }) }
}

export function parseEnum(context: ParseContext, object: JsonObject, spot: Spot): EnumType {
  const { pointer } = spot
  const names = parseNames(context, object, spot)
  if (!object.has('symbols')) throw context.fault('An enum needs "symbols": an array of strings', pointer)
  const symbols = context.texts(object, 'symbols', pointer)
  const seen = new Set<string>()
  for (const [index, symbol] of symbols.entries()) {
    const place = `${pointer}/symbols/${index}`
    if (!isName(symbol)) throw context.fault(`The symbol ${quoted(symbol)} is not valid; ${NAME_HELP}`, place)
    if (seen.has(symbol)) throw context.fault(`The symbol ${quoted(symbol)} is there twice; remove one`, place)
    seen.add(symbol)
  }
  const byDefault = context.text(object, 'default', pointer)
  if (byDefault !== undefined && !seen.has(byDefault)) {
    throw context.fault(
      `The default ${quoted(byDefault)} is none of the symbols; add it or choose one`,
      `${pointer}/default`
    )
  }
  const properties = propertiesOf(object, ['type', 'name', 'namespace', 'doc', 'aliases', 'symbols', 'default'])
  const type: EnumType = {
    kind: 'enum',
    ...names,
    symbols,
    properties,
    ...(byDefault !== undefined && { default: byDefault })
  }
  context.define(type, pointer)
  return type
}

export function parseFixed(context: ParseContext, object: JsonObject, spot: Spot): FixedType {
  const { pointer } = spot
  const names = parseNames(context, object, spot)
  const size = object.get('size')
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 0 || size > MAX_FIXED_SIZE) {
    const place = size === undefined ? pointer : `${pointer}/size`
    throw context.fault('A fixed type needs "size": a whole number of bytes, 0 or more', place)
  }
  const properties = propertiesOf(object, ['type', 'name', 'namespace', 'doc', 'aliases', 'size'])
  const logical = logicalOf('fixed', properties, size)
  const type: FixedType = { kind: 'fixed', ...names, size, properties, ...(logical !== undefined && { logical }) }
  context.define(type, pointer)
  return type
}
