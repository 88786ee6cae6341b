import type { Converted, FieldShape, RecordShape, Shape } from '../../format.ts'
import { defaultJsonName } from '../link/build-field.ts'
import { entryName } from '../link/scopes.ts'
import { bytesOfText, quote } from '../syntax/cursor.ts'
import {
  Draft,
  type Holder,
  identifier,
  lastPart,
  packageOf,
  pascalCase,
  snakeCase,
  unique,
  type WrittenType
} from './draft.ts'
import { DECIMAL, decimalOptions, isZero } from './to-shape.ts'

/** A `.proto` text; the first message is the shape. */
export function fromShape(shape: Shape): Converted<string> {
  const draft = new Draft(shape.kind === 'record' ? packageOf(shape.name ?? '') : undefined)
  const root = recordOf(shape, draft)
  const name = draft.typeName(pascalCase(lastPart(root.name ?? 'Record')))
  if (root.name !== undefined) draft.remember(root.name, root, name)
  writeMessage(draft, name, root, '')
  for (let next = draft.next(); next !== undefined; next = draft.next())
    writeMessage(draft, next.name, next.record, next.path)
  return { result: draft.text(), lost: draft.lost }
}

/** The record to write as the first message. Any other shape becomes the field of a record, since data are messages. */
function recordOf(shape: Shape, draft: Draft): RecordShape {
  if (shape.kind === 'record') return shape
  draft.lose('', 'That values stand alone; they are the field "value" of a message')
  return { kind: 'record', name: 'Record', fields: [{ name: 'value', shape, optional: false }] }
}

const [FIRST_OF_IMPLEMENTATIONS, IMPLEMENTATION_NUMBERS] = [19_000, 1_000]

function writeMessage(draft: Draft, name: string, record: RecordShape, path: string): void {
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

const PLAIN = { options: [], isRepeated: false, isMap: false, isMessage: false }

/** `single` where a list or a map can't stand, as in another list. */
function writeType(
  holder: Holder,
  shape: Shape,
  name: string,
  path: string,
  place: 'field' | 'single' = 'field'
): WrittenType {
  if (place === 'single' && (shape.kind === 'list' || shape.kind === 'map' || shape.kind === 'union')) {
    holder.draft.lose(path, 'That it stands there alone; it is the field "value" of a message')
    const record: RecordShape = { kind: 'record', fields: [{ name: 'value', shape, optional: false }] }
    return writeRecord(holder, record, name, path)
  }
  switch (shape.kind) {
    case 'list':
      return { ...writeItem(holder, shape.items, name, `${path}/*`), isRepeated: true }
    case 'map': {
      const value = writeItem(holder, shape.values, name, `${path}/*`)
      return { ...value, text: `map<string, ${value.text}>`, isMap: true, isMessage: false }
    }
    case 'record':
      return writeRecord(holder, shape, name, path)
    case 'recursion':
      return { ...PLAIN, text: holder.draft.named(shape.name) ?? valueType(holder), isMessage: true }
    case 'enum':
      return writeEnum(holder, shape, name, path)
    default:
      return writeScalar(holder, shape, path)
  }
}

function writeItem(holder: Holder, item: Shape, name: string, path: string): WrittenType {
  const { shape, isNullable } = withoutNull(item)
  if (isNullable) holder.draft.lose(path, 'That elements can be null')
  return writeType(holder, shape, name, path, 'single')
}

function writeRecord(holder: Holder, record: RecordShape, field: string, path: string): WrittenType {
  const { draft } = holder
  const known = record.name === undefined ? undefined : draft.known(record.name, record)
  if (known !== undefined) return { ...PLAIN, text: known, isMessage: true }
  const name = draft.typeName(pascalCase(lastPart(record.name ?? field)))
  if (record.name !== undefined) draft.remember(record.name, record, name)
  draft.later(name, record, path)
  return { ...PLAIN, text: name, isMessage: true }
}

type ScalarShape = Exclude<Shape, { kind: 'list' | 'map' | 'record' | 'recursion' | 'enum' }>

function writeScalar(holder: Holder, shape: ScalarShape, path: string): WrittenType {
  const { draft } = holder
  switch (shape.kind) {
    case 'boolean':
      return { ...PLAIN, text: 'bool' }
    case 'integer':
      return { ...PLAIN, text: `${shape.signed ? '' : 'u'}int${shape.bits}` }
    case 'number':
      return { ...PLAIN, text: shape.bits === 32 ? 'float' : 'double' }
    case 'bytes':
      if (shape.size !== undefined) draft.lose(path, `That there are always ${shape.size} bytes`)
      return { ...PLAIN, text: 'bytes' }
    case 'string':
      if (shape.format === 'date-time') {
        draft.import('google/protobuf/timestamp.proto')
        return { ...PLAIN, text: draft.external('google.protobuf.Timestamp'), isMessage: true }
      }
      if (shape.format !== undefined) draft.lose(path, `That texts have the format ${shape.format}`)
      return { ...PLAIN, text: 'string' }
    case 'decimal':
      draft.import('confluent/meta.proto')
      draft.import('confluent/type/decimal.proto')
      return {
        ...PLAIN,
        text: draft.external(DECIMAL),
        options: [decimalOptions(shape.precision, shape.scale)],
        isMessage: true
      }
    case 'null':
      draft.import('google/protobuf/struct.proto')
      return { ...PLAIN, text: draft.external('google.protobuf.NullValue') }
    default:
      return { ...PLAIN, text: valueType(holder), isMessage: true }
  }
}

function valueType({ draft }: Holder): string {
  draft.import('google/protobuf/struct.proto')
  return draft.external('google.protobuf.Value')
}

function writeOptions(options: readonly string[]): string {
  return options.length === 0 ? '' : ` [${options.join(', ')}]`
}

/** A shape and whether it may also be null, which Protobuf says by absence. */
function withoutNull(shape: Shape): { readonly shape: Shape; readonly isNullable: boolean } {
  if (shape.kind !== 'union') return { shape, isNullable: false }
  const options = shape.options.flatMap((option) => (option.kind === 'union' ? option.options : [option]))
  const others = options.filter((option) => option.kind !== 'null')
  const isNullable = others.length < options.length
  if (others.length === 0) return { shape: { kind: 'null' }, isNullable: false }
  return { shape: others.length === 1 ? (others[0] as Shape) : { kind: 'union', options: others }, isNullable }
}

function writeEnum(holder: Holder, shape: Shape & { readonly kind: 'enum' }, field: string, path: string): WrittenType {
  const key = JSON.stringify([shape.name, shape.values])
  const known = shape.name === undefined ? undefined : holder.draft.enums.get(key)
  if (known !== undefined) {
    return { ...PLAIN, text: known.holder === holder.name ? known.name : `${known.holder}.${known.name}` }
  }
  const name = enumName(holder, pascalCase(lastPart(shape.name ?? field)))
  holder.draft.enums.set(key, { holder: holder.name, name })
  holder.types.push(`enum ${name} {`, ...valuesOf(holder, name, shape.values, path), '}')
  return { ...PLAIN, text: name }
}

/** Zero is what Protobuf takes where nothing is written, so it has to mean that. */
function valuesOf(holder: Holder, name: string, values: readonly string[], path: string): string[] {
  const prefix = snakeCase(name).toUpperCase()
  const lines: string[] = []
  if (!/(?:^|_)(?:UNSPECIFIED|UNKNOWN|NONE)$/i.test(values[0] ?? '')) {
    const zero = unique(`${prefix}_UNSPECIFIED`, holder.names)
    lines.push(`  ${zero} = 0;`)
    holder.draft.lose(path, `That there is no value but these; ${zero} was added for values that are not there`)
  }
  for (const value of values) {
    const wanted = identifier(value)
    const written = unique(holder.names.has(wanted) ? `${prefix}_${wanted}` : wanted, holder.names)
    if (written !== value)
      holder.draft.lose(path, `The value ${JSON.stringify(value).slice(0, 100)}, which is ${written}`)
    lines.push(`  ${written} = ${lines.length};`)
  }
  return lines
}

/** A name for an enum that no message has, since the enum would hide the message. */
function enumName({ draft, names }: Holder, wanted: string): string {
  let name = draft.typeName(wanted)
  while (names.has(name)) name = draft.typeName(wanted)
  names.add(name)
  return name
}
