import type { FieldShape, RecordShape, Shape } from '../../shape.ts'
import { defaultJsonName } from '../link/build-field.ts'
import { entryName } from '../link/declarations.ts'
import { bytesOfText, quote } from '../syntax/strings.ts'
import type { Draft } from './draft.ts'
import { identifier, unique } from './names.ts'
import { isZero } from './to-default.ts'
import { withoutNull } from './without-null.ts'
import { type Holder, type WrittenType, writeOptions, writeType } from './write-type.ts'

const [FIRST_OF_IMPLEMENTATIONS, IMPLEMENTATION_NUMBERS] = [19_000, 1_000]

export function writeMessage(draft: Draft, name: string, record: RecordShape, path: string): void {
  const wanted = new Set(record.fields.map((field) => field.name))
  const holder: Holder = {
    draft,
    name,
    path,
    wanted,
    names: new Set(),
    jsonNames: new Set(),
    lines: [],
    types: [],
    count: 0
  }
  if (record.open === true) draft.lose(path, 'That values may have fields beside these')
  for (const field of record.fields) writeField(holder, field)
  const lines = [...comment(record.doc), `message ${name} {`, ...holder.lines.map((line) => `  ${line}`)]
  if (holder.types.length > 0) lines.push('', ...holder.types.map((line) => `  ${line}`))
  draft.add([...lines, '}'].join('\n'))
}

function writeField(holder: Holder, field: FieldShape): void {
  const path = `${holder.path}/${field.name}`
  const { shape, isNullable } = withoutNull(field.shape)
  if (isNullable && !field.optional)
    holder.draft.lose(path, 'That a field is there and null; null is as good as absent')
  if (field.default !== undefined && !isZero(field.default)) {
    holder.draft.lose(path, `The default ${JSON.stringify(field.default).slice(0, 100)}; proto3 has none`)
  }
  holder.lines.push(...comment(field.doc))
  if (shape.kind === 'union') writeOneof(holder, field.name, shape.options, path)
  else writeSingle(holder, field.name, shape, field.optional || isNullable, path)
}

function writeSingle(holder: Holder, name: string, shape: Shape, isOptional: boolean, path: string): void {
  const type = writeType(holder, shape, name, path)
  if (!isOptional && type.isMessage && !type.isRepeated) holder.draft.lose(path, 'That a field must be there')
  const canBeOptional = isOptional && !type.isRepeated && !type.isMap && !type.isMessage
  if (isOptional && (type.isRepeated || type.isMap)) holder.draft.lose(path, 'Whether a list is empty or not there')
  holder.lines.push(`${canBeOptional ? 'optional ' : ''}${fieldLine(holder, name, type)}`)
}

function fieldLine(holder: Holder, wanted: string, type: WrittenType): string {
  const name = fieldName(holder, wanted, type)
  const options = [...type.options]
  const jsonName = defaultJsonName(name)
  // Two fields can't have one name in JSON, where `unit_price` and `unitPrice` are the same unless told otherwise.
  const isAmbiguous = jsonName !== wanted && (holder.wanted.has(jsonName) || holder.jsonNames.has(jsonName))
  if (name !== wanted || isAmbiguous) options.push(`json_name = ${quote(bytesOfText(wanted))}`)
  else holder.jsonNames.add(jsonName)
  holder.count += holder.count === FIRST_OF_IMPLEMENTATIONS - 1 ? IMPLEMENTATION_NUMBERS + 1 : 1
  return `${type.isRepeated ? 'repeated ' : ''}${type.text} ${name} = ${holder.count}${writeOptions(options)};`
}

/** A map takes a second name, that of its entries. */
function fieldName({ names }: Holder, wanted: string, { isMap }: WrittenType): string {
  let name = unique(identifier(wanted), names)
  while (isMap && names.has(entryName(name))) name = unique(identifier(wanted), names)
  if (isMap) names.add(entryName(name))
  return name
}

function writeOneof(holder: Holder, name: string, options: readonly Shape[], path: string): void {
  const oneof = unique(`${identifier(name)}_choice`, holder.names)
  holder.draft.lose(path, `That it is one value of several types; each has a field of its own in the oneof ${oneof}`)
  const lines = options.map((option) => {
    const field = `${identifier(name)}_${option.kind}`
    return `  ${fieldLine(holder, field, writeType(holder, option, field, path, 'single'))}`
  })
  holder.lines.push(`oneof ${oneof} {`, ...lines, '}')
}

function comment(doc: string | undefined): string[] {
  if (doc === undefined || doc === '') return []
  return doc.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => `// ${line}`.trimEnd())
}
