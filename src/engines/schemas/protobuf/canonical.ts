import { defaultJsonName, isPackable } from './link/build-field.ts'
import { compareText } from './link/scopes.ts'
import type {
  EnumModel,
  EnumValueModel,
  FieldModel,
  FieldType,
  FileModel,
  MessageModel,
  Option,
  OptionValue,
  Range,
  ServiceModel
} from './model.ts'
import { bytesOfText, quote } from './syntax/cursor.ts'

/**
 * The schema in one spelling: full names, no comments, and one order for everything whose order means nothing. The
 * order of messages means something: data say by their position which one they are.
 */
export function printFile(file: FileModel): string {
  const isEdition = file.syntax !== 'proto2' && file.syntax !== 'proto3'
  const lines = [`${isEdition ? 'edition' : 'syntax'} = "${file.syntax}";`]
  if (file.packageName !== '') lines.push(`package ${file.packageName};`)
  const imports = file.imports.map(
    ({ path, modifier }) => `import ${modifier === '' ? '' : `${modifier} `}${quote(bytesOfText(path))};`
  )
  lines.push(...imports.sort(), ...statements(printOptions(file.options)))
  for (const message of file.messages) printMessage(message, lines, '')
  for (const enumeration of byName(file.enums)) printEnum(enumeration, lines, '')
  for (const service of byName(file.services)) printService(service, lines)
  printExtensions(file.extensions, lines, '')
  return `${lines.join('\n')}\n`
}

function printMessage(message: MessageModel, lines: string[], indent: string): void {
  lines.push(`${indent}message ${message.name} {`)
  const inner = `${indent}  `
  const add = (line: string) => lines.push(`${inner}${line}`)
  statements(printOptions(message.options)).forEach(add)
  printReserved(message).forEach(add)
  if (message.extensionRanges.length > 0) add(`extensions ${printRanges(message.extensionRanges)};`)
  for (const field of message.fields.values()) if (field.oneof === undefined) add(printField(field))
  for (const { name, numbers, options } of byName(message.oneofs)) {
    add(`oneof ${name} {`)
    for (const option of statements(printOptions(options))) add(`  ${option}`)
    for (const number of numbers) add(`  ${printField(message.fields.get(number) as FieldModel)}`)
    add('}')
  }
  for (const nested of message.messages) printMessage(nested, lines, inner)
  for (const enumeration of byName(message.enums)) printEnum(enumeration, lines, inner)
  printExtensions(message.extensions, lines, inner)
  lines.push(`${indent}}`)
}

function printEnum(enumeration: EnumModel, lines: string[], indent: string): void {
  lines.push(`${indent}enum ${enumeration.name} {`)
  const inner = `${indent}  `
  for (const line of [...statements(printOptions(enumeration.options)), ...printReserved(enumeration)]) {
    lines.push(`${inner}${line}`)
  }
  for (const { name, number, options } of sortedValues(enumeration)) {
    lines.push(`${inner}${name} = ${number}${printBracketed(printOptions(options))};`)
  }
  lines.push(`${indent}}`)
}

/** Sorts values by number, but keeps the first one in front: it is the default. */
function sortedValues({ values: [first, ...others] }: EnumModel): EnumValueModel[] {
  return [first as EnumValueModel, ...others.sort((a, b) => a.number - b.number)]
}

function printService(service: ServiceModel, lines: string[]): void {
  lines.push(`service ${service.name} {`)
  for (const line of statements(printOptions(service.options))) lines.push(`  ${line}`)
  for (const method of byName(service.methods)) {
    const input = `${method.isInputStream ? 'stream ' : ''}.${method.input}`
    const output = `${method.isOutputStream ? 'stream ' : ''}.${method.output}`
    const options = statements(printOptions(method.options))
    const body = options.length === 0 ? ';' : ` { ${options.join(' ')} }`
    lines.push(`  rpc ${method.name} (${input}) returns (${output})${body}`)
  }
  lines.push('}')
}

function printExtensions(extensions: readonly FieldModel[], lines: string[], indent: string): void {
  const printed = extensions.map((field) => `${indent}extend .${field.extendee} { ${printField(field)} }`)
  lines.push(...printed.sort())
}

function printReserved({ reserved, reservedNames }: Pick<EnumModel, 'reserved' | 'reservedNames'>): string[] {
  const lines = reserved.length === 0 ? [] : [`reserved ${printRanges(reserved)};`]
  if (reservedNames.length > 0)
    lines.push(`reserved ${reservedNames.map((name) => quote(bytesOfText(name))).join(', ')};`)
  return lines
}

function printRanges(ranges: readonly Range[]): string {
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from} to ${to}`)).join(', ')
}

function statements(options: readonly string[]): string[] {
  return options.map((option) => `option ${option};`)
}

function byName<T extends { readonly name: string }>(things: readonly T[]): T[] {
  return [...things].sort((a, b) => compareText(a.name, b.name))
}

/** Options that are printed from the field's own facts, since the same can be written in several ways. */
const PRINTED_FROM_FIELD: ReadonlySet<string> = new Set(['json_name', 'packed', 'default'])

function printField(field: FieldModel): string {
  const options = printOptions(field.options, PRINTED_FROM_FIELD)
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

/** The defaults of options. An option that is set to its default is not printed. */
const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['deprecated', 'false'],
  ['lazy', 'false'],
  ['unverified_lazy', 'false'],
  ['weak', 'false'],
  ['ctype', 'STRING'],
  ['jstype', 'JS_NORMAL'],
  ['debug_redact', 'false'],
  ['allow_alias', 'false'],
  ['map_entry', 'false'],
  ['message_set_wire_format', 'false'],
  ['no_standard_descriptor_accessor', 'false'],
  ['java_multiple_files', 'false'],
  ['java_string_check_utf8', 'false'],
  ['java_generic_services', 'false'],
  ['cc_generic_services', 'false'],
  ['py_generic_services', 'false'],
  ['optimize_for', 'SPEED'],
  ['idempotency_level', 'IDEMPOTENCY_UNKNOWN']
])

/** The options that say something, each as `name = value`. */
export function printOptions(options: readonly Option[], except: ReadonlySet<string> = NONE): string[] {
  const printed: string[] = []
  for (const { name, value } of options) {
    if (except.has(name) || (value.kind === 'plain' && DEFAULTS.get(name) === value.value)) continue
    printed.push(`${name} = ${printValue(value)}`)
  }
  return printed
}
const NONE: ReadonlySet<string> = new Set()

function printBracketed(options: readonly string[]): string {
  return options.length === 0 ? '' : ` [${options.join(', ')}]`
}

function printValue(value: OptionValue): string {
  if (value.kind === 'plain') return value.value
  if (value.kind === 'string') return quote(value.value)
  if (value.kind === 'list') return `[${value.values.map(printValue).join(', ')}]`
  const fields = [...value.fields].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{ ${fields.map(([name, inner]) => `${name}: ${printValue(inner)}`).join(' ')} }`
}
