import { defaultJsonName } from '../link/build-field.ts'
import { isPackable } from '../link/field-type.ts'
import type { FieldModel, FieldType } from '../model.ts'
import { bytesOfText, quote } from '../syntax/strings.ts'
import { printBracketed, printOptions } from './print-options.ts'

/** Printed by what they come to, however that was said. */
const APART: ReadonlySet<string> = new Set(['json_name', 'packed', 'default'])

export function printField(field: FieldModel): string {
  const options = printOptions(field.options, APART)
  if (field.label === 'repeated' && isPackable(field.type)) options.push(`packed = ${field.isPacked}`)
  if (field.jsonName !== defaultJsonName(field.name)) options.push(`json_name = ${quote(bytesOfText(field.jsonName))}`)
  if (field.defaultValue !== undefined) options.push(`default = ${printDefault(field, field.defaultValue)}`)
  const label = field.label === undefined ? '' : `${field.label} `
  const type = `${field.isDelimited ? 'group ' : ''}${printType(field.type)}`
  return `${label}${type} ${field.name} = ${field.number}${printBracketed(options)};`
}

function printType(type: FieldType): string {
  if (type.kind === 'map') return `map<${type.key}, ${printType(type.value)}>`
  return type.kind === 'scalar' ? type.name : `.${type.name}`
}

function printDefault({ type }: FieldModel, value: string): string {
  const isText = type.kind === 'scalar' && (type.name === 'string' || type.name === 'bytes')
  return isText ? quote(value) : value
}
