import type { FieldShape } from '../shape.ts'
import { isDefaultOf } from './defaults.ts'
import type { FromShape, Position } from './from-shape.ts'
import { fromPlain } from './json-values.ts'
import { type AvroType, type Field, type Json, NO_PROPERTIES } from './model.ts'
import { isPlainJson } from './plain-default.ts'
import { plainType } from './shape-leaves.ts'
import { uniqueName, validName } from './shape-names.ts'

/** A field of a record. One that values may lack gets a default, which is null where the shape has none. */
export function fieldFor(conversion: FromShape, field: FieldShape, taken: Set<string>, at: Position): Field {
  const name = uniqueName(validName(field.name), taken, conversion.effort)
  const path = `${at.path}/fields/${name}`
  if (name !== field.name) conversion.lose(path, `The field ${JSON.stringify(field.name)} became ${name}.`)
  const type = conversion.type(field.shape, { ...at, path: `${path}/type`, hint: name })
  const given = givenDefault(conversion, field, type, path)
  const isNullable = field.optional && given === undefined
  return {
    name,
    aliases: [],
    ...(field.doc !== undefined && { doc: field.doc }),
    type: isNullable || given === null ? nullFirst(type) : type,
    order: 'ascending',
    ...(isNullable ? { default: null } : given !== undefined && { default: given }),
    properties: NO_PROPERTIES
  }
}

function givenDefault(conversion: FromShape, field: FieldShape, type: AvroType, path: string): Json | undefined {
  if (field.default === undefined) return undefined
  const value = fromPlain(field.default)
  const isKept = isDefaultOf(type, value, conversion.effort) && (value === null || isPlainJson(type, conversion.effort))
  if (isKept) return value
  conversion.lose(path, `The default of ${field.name} has no place in Avro.`)
  return undefined
}

/** Readers that are older want the default to be of the first type of a union. */
function nullFirst(type: AvroType): AvroType {
  const branches = type.kind === 'union' ? type.branches : [type]
  const others = branches.filter(({ kind }) => kind !== 'null')
  return others.length === 0 ? type : { kind: 'union', branches: [plainType('null'), ...others] }
}
