import type { FieldModel, FieldType } from '../model.ts'

/** As it stands in a `.proto`: `repeated string tags`. */
export function describe(field: FieldModel): string {
  return `${field.label === undefined ? '' : `${field.label} `}${typeText(field.type)} ${field.name}`
}

/** For changes of the label, where the name would say nothing. */
export function labelAndType(field: FieldModel): string {
  return `${field.label === undefined ? '' : `${field.label} `}${typeText(field.type)}`
}

export function typeText(type: FieldType): string {
  return type.kind === 'map' ? `map<${type.key}, ${typeText(type.value)}>` : type.name
}
