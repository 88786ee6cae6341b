import { normalDefault } from './defaults.ts'
import { isJsonObject } from './json-values.ts'
import type { AvroType, Field, Json, JsonObject, RecordType } from './model.ts'
import { isName, NAME_HELP, namespaceOf, quoted } from './names.ts'
import type { ParseContext, Spot } from './parse-context.ts'
import { parseNames } from './parse-named.ts'
import { propertiesOf } from './properties.ts'

const ORDERS = ['ascending', 'descending', 'ignore'] as const

type ParseType = (context: ParseContext, json: Json, spot: Spot) => AvroType

export function parseRecord(context: ParseContext, object: JsonObject, spot: Spot, parseType: ParseType): RecordType {
  const { pointer } = spot
  const names = parseNames(context, object, spot)
  const isError = object.get('type') === 'error'
  const properties = propertiesOf(object, ['type', 'name', 'namespace', 'doc', 'aliases', 'fields'])
  const fields: Field[] = []
  const type: RecordType = { kind: 'record', ...names, isError, fields, properties }
  // Before its fields are read, since they may refer to it.
  context.define(type, pointer)
  const given = object.get('fields')
  if (!Array.isArray(given)) throw context.fault('A record needs "fields": an array of its fields', pointer)
  const seen = new Set<string>()
  for (const [index, json] of given.entries()) {
    const place = { pointer: `${pointer}/fields/${index}`, namespace: namespaceOf(type.name), depth: spot.depth + 1 }
    const field = parseField(context, json, place, parseType)
    if (seen.has(field.name)) {
      throw context.fault(`The field ${quoted(field.name)} is there twice; rename or remove one`, place.pointer)
    }
    seen.add(field.name)
    fields.push(field)
  }
  return type
}

function parseField(context: ParseContext, json: Json, spot: Spot, parseType: ParseType): Field {
  const { pointer } = spot
  context.effort.spend()
  if (!isJsonObject(json)) throw context.fault('A field must be an object with "name" and "type"', pointer)
  const name = context.text(json, 'name', pointer)
  if (name === undefined) throw context.fault('A field needs a "name"', pointer)
  if (!isName(name)) {
    throw context.fault(`The name of the field ${quoted(name)} is not valid; ${NAME_HELP}`, `${pointer}/name`)
  }
  const typeJson = json.get('type')
  if (typeJson === undefined) throw context.fault(`The field ${quoted(name)} needs a "type"`, pointer)
  const type = parseType(context, typeJson, { ...spot, pointer: `${pointer}/type` })
  const doc = context.text(json, 'doc', pointer)
  return {
    name,
    aliases: [...new Set(context.texts(json, 'aliases', pointer))].sort(),
    ...(doc !== undefined && { doc }),
    type,
    order: parseOrder(context, json, pointer),
    ...parseDefault(context, json, name, type, pointer),
    properties: propertiesOf(json, ['name', 'type', 'doc', 'aliases', 'order', 'default'])
  }
}

function parseOrder(context: ParseContext, json: JsonObject, pointer: string): Field['order'] {
  const given = context.text(json, 'order', pointer)?.toLowerCase() ?? 'ascending'
  const order = ORDERS.find((known) => known === given)
  if (order === undefined) throw context.fault('"order" must be ascending, descending or ignore', `${pointer}/order`)
  return order
}

function parseDefault(context: ParseContext, json: JsonObject, field: string, type: AvroType, pointer: string) {
  const given = json.get('default')
  if (given === undefined) return {}
  const value = normalDefault(type, given)
  context.defaults.push({ field, type, value, pointer: `${pointer}/default` })
  return { default: value }
}
